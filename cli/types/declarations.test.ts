import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { offlineOutputs } from '../../api/operations/bundles/offlineOutputs.ts';
import { offlineProblems } from '../../api/operations/bundles/offlineProblems.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { onTestFinished } from '../../test/setup/jest/onTestFinished.ts';
import { declarationsOf } from './declarations.ts';

const EXPENSE = {
  kind: 'workflow',
  slug: 'expense',
  trigger: {
    type: 'manual',
    config: {
      fields: [
        { key: 'amount', type: 'number', required: true },
        {
          key: 'currency',
          type: 'select',
          required: true,
          default: 'EUR',
          options: [{ value: 'EUR' }, { value: 'USD' }],
        },
        { key: 'cost-centre', type: 'text' },
      ],
    },
  },
  nodes: [
    {
      id: 'ask',
      type: 'input',
      inputs: {
        fields: [
          { key: 'approved', type: 'boolean', required: true },
          { key: 'why', type: 'text' },
        ],
      },
    },
    { id: 'open', type: 'input', inputs: { fields: '{{ [{"key": trigger.currency, "type": "text"}] }}' } },
  ],
  output: {
    approved: '{{ steps.ask.output.approved }}',
    why: '{{ steps.ask.output.why }}',
    currency: '{{ trigger.currency }}',
    twice: '{{ trigger.amount * 2.0 }}',
    paid: '{{ steps.ask.output.approved ? trigger.amount : 0 }}',
    text: 'for {{ trigger.amount }}',
    version: 3,
  },
};
/** An order of a shop, with conditional steps, steps that may fail, a loop, and another workflow. */
const ORDER = {
  kind: 'workflow',
  slug: 'order',
  trigger: {
    id: 'trigger',
    type: 'manual',
    config: { fields: [{ key: 'lines', label: 'Lines', type: 'json', required: true }] },
  },
  nodes: [
    { id: 'fetch', type: 'action', appId: 'http', actionId: 'request', inputs: { url: 'https://shop.example' } },
    { id: 'large', type: 'condition', inputs: { condition: '{{ steps.fetch.output.status == 200 }}' } },
    { id: 'hash', type: 'action', appId: 'crypto', actionId: 'hash', inputs: { text: 'x' } },
    {
      id: 'mail',
      type: 'action',
      appId: 'http',
      actionId: 'request',
      onError: 'continue',
      inputs: { url: 'https://mail.example' },
    },
    { id: 'each', type: 'forEach', inputs: { items: '{{ [1, 2].map(x, {"n": x}) }}' } },
    {
      id: 'line',
      type: 'action',
      parentId: 'each',
      appId: 'core',
      actionId: 'set',
      inputs: { values: { n: '{{ loop.item.n }}', at: '{{ loop.index }}' } },
    },
    { id: 'counted', type: 'forEach', inputs: { items: '{{ [1, 2] }}', keepOutputs: false } },
    { id: 'kept', type: 'action', parentId: 'counted', appId: 'core', actionId: 'set', inputs: { values: { n: 1 } } },
    { id: 'tell', type: 'runWorkflow', inputs: { slug: 'notice' } },
    { id: 'later', type: 'runWorkflow', inputs: { workflowId: '@workflow/notice', wait: false } },
    { id: 'free', type: 'action', appId: 'code', actionId: 'javascript', inputs: { code: 'return 1' } },
  ],
  edges: [
    { id: 'e1', source: 'fetch', target: 'large' },
    { id: 'e2', source: 'large', target: 'hash', sourceHandle: 'true' },
    { id: 'e3', source: 'fetch', target: 'mail' },
    { id: 'e4', source: 'fetch', target: 'each' },
    { id: 'e5', source: 'fetch', target: 'tell' },
    { id: 'e6', source: 'fetch', target: 'later' },
    { id: 'e7', source: 'fetch', target: 'free' },
  ],
  output: {
    status: '{{ steps.fetch.output.status }}',
    body: '{{ steps.fetch.output.body }}',
    mail: '{{ steps.mail.output }}',
    lines: '{{ steps.each.output }}',
    sent: '{{ steps.tell.output.sent }}',
    later: '{{ steps.later.output.executionId }}',
    count: '{{ size(steps.each.output) }}',
    counts: '{{ steps.counted.output }}',
    free: '{{ steps.free.output }}',
  },
};
/** Its output is that of the step that ran last. */
const NOTICE = {
  kind: 'workflow',
  slug: 'notice',
  nodes: [
    { id: 'isLoud', type: 'condition', inputs: { condition: '{{ trigger.?loud.orValue(false) }}' } },
    { id: 'call', type: 'action', appId: 'core', actionId: 'set', inputs: { values: { sent: '{{ 1 + 1 }}' } } },
    { id: 'write', type: 'action', appId: 'core', actionId: 'set', inputs: { values: { sent: '{{ string(now) }}' } } },
  ],
  edges: [
    { id: 'e1', source: 'isLoud', target: 'call', sourceHandle: 'true' },
    { id: 'e2', source: 'isLoud', target: 'write', sourceHandle: 'false' },
  ],
};
const HOOK = { kind: 'workflow', slug: 'order-hook', trigger: { type: 'webhook', config: {} }, nodes: [] };
const INVOICE = {
  kind: 'objectType',
  slug: 'invoice',
  attributeSchema: {
    required: ['total'],
    properties: {
      total: { type: 'number' },
      tags: { type: 'array', items: { enum: ['a', 'b'] } },
      address: { type: ['object', 'null'], properties: { city: { type: 'string' } }, additionalProperties: false },
      odd: { $ref: '#/$defs/x' },
    },
  },
};
const QUEUE = { kind: 'queue', slug: 'refunds', batchSize: 5 };

const FILES = [HOOK, EXPENSE, ORDER, NOTICE, INVOICE, QUEUE, { kind: 'objectType', slug: 'thing' }];
const text = declarationsOf(FILES, await offlineOutputs(FILES));

function complaints(lines: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-types-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'perdure.d.ts'), text);
  const use = join(folder, 'use.ts');
  writeFileSync(use, `import type { Entities, Queues, Workflows } from './perdure';\n${lines.join('\n')}\n`);
  const options: ts.CompilerOptions = { strict: true, noEmit: true, types: [], exactOptionalPropertyTypes: true };
  const program = ts.createProgram([use], options);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

test('the files whose types are tested are a project', async () => {
  expect(await offlineProblems([ORDER, NOTICE])).toEqual([]);
});

test('correct uses compile, and each wrong one does not', () => {
  const wrong = [
    "const a: Workflows['expense']['input'] = { currency: 'EUR' };",
    "const b: Workflows['expense']['input'] = { amount: 1, currency: 'GBP' };",
    "const c: Workflows['expense']['questions']['ask'] = { approved: 'yes' };",
    "const d: Entities['invoice'] = { total: 1, tags: ['c'] };",
    "const e: string = {} as Workflows['expense']['output']['why'];",
    "const f: string = {} as Workflows['expense']['output']['twice'];",
    "const f1: string = {} as Workflows['order']['output']['status'];",
    "({} as Workflows['order']['output']).statuss;",
    "({} as Workflows['order']['output']['mail']).status;",
    "({} as Workflows['order']['output']['lines'])[0]?.m;",
    "({} as Workflows['order']['output']['counts'])[0];",
    "const f2: number = {} as Workflows['order']['output']['sent'];",
    "const f3: number = {} as Workflows['order']['output']['later'];",
    "const f4: string = {} as Workflows['order']['output']['body'];",
    "const f5: string = {} as Workflows['order']['output']['free'];",
    "const f6: string = ({} as Workflows['order']['steps']).hash;",
    "({} as Workflows['order']['steps']).mail.status;",
    "const f7: Workflows['notice']['output'] = { sent: true };",
  ];
  const right = [
    "const g: Workflows['expense']['input'] = { amount: 1, 'cost-centre': 'x' };",
    "const h: Workflows['expense']['questions']['ask'] = { approved: true };",
    "const i: Workflows['expense']['questions']['open'] = { anything: 1 };",
    "const j: 'EUR' | 'USD' = {} as Workflows['expense']['output']['currency'];",
    "const k: 3 = {} as Workflows['expense']['output']['version'];",
    "const l: Workflows['order-hook']['input'] = { whatever: 1 };",
    "const m: Entities['invoice'] = { total: 1, tags: ['a'], address: null, odd: 5 };",
    "const n: Entities['thing'] = { anything: true };",
    "const o: Queues['refunds'] = { orderId: 4711 };",
    "const p: string | null = {} as Workflows['expense']['output']['why'];",
    "const q: number = {} as Workflows['expense']['output']['twice'];",
    "const r: number = {} as Workflows['order']['output']['status'];",
    "const s: number | undefined = ({} as Workflows['order']['output']['mail'])?.status;",
    "const t: number[] = ({} as Workflows['order']['output']['lines']).map(({ n }) => n);",
    "const u: number | string = {} as Workflows['order']['output']['sent'];",
    "const v: string = {} as Workflows['order']['output']['later'];",
    "const w: number = {} as Workflows['order']['output']['count'];",
    "const w1: { total: number; completed: number; failed: number } = {} as Workflows['order']['output']['counts'];",
    "const x: string | undefined = ({} as Workflows['order']['steps']).hash;",
    "const y: { n: number; at: number }[] = ({} as Workflows['order']['steps']).line;",
    "const z: { sent: string | number } = {} as Workflows['notice']['output'];",
  ];
  expect(complaints([...right, ...wrong.flatMap((line) => ['// @ts-expect-error', line])])).toEqual([]);
});

test('the snippets of docs/cli.md compile under nodenext', () => {
  const page = readFileSync(join(PROJECT_ROOT, 'docs/cli.md'), 'utf8');
  const snippets = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, snippet]) => snippet);
  expect(snippets).toHaveLength(2);
  const folder = mkdtempSync(join(tmpdir(), 'perdure-types-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(
    join(folder, 'perdure.d.ts'),
    'export interface Workflows { expense: { input: { amount: number }; output: { refund: number } } }\n',
  );
  const use = join(folder, 'use.ts');
  const given = `import type { Perdure } from ${JSON.stringify(join(PROJECT_ROOT, 'client/dist/index.js'))};
declare const client: Perdure;
declare const executionId: string;
`;
  writeFileSync(use, `${given}${snippets.join('\n')}`);
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, types: [], lib: ['lib.esnext.d.ts', 'lib.dom.d.ts'], skipLibCheck: true },
    ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ESNext },
  };
  const found = ts.getPreEmitDiagnostics(ts.createProgram([use], options));
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
});

test('leaves out a literal next to its type', () => {
  expect(text).toContain(' paid: number;');
});

test('writes the same text for files in another order', async () => {
  const turned = FILES.toReversed();
  expect(declarationsOf(turned, await offlineOutputs(turned))).toBe(text);
});
