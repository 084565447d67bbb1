import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { onTestFinished } from '../../test/setup/onTestFinished.ts';
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
    { id: 'open', type: 'input', inputs: { fields: '{{ trigger.fields }}' } },
  ],
  output: {
    approved: '{{ steps.ask.output.approved }}',
    why: '{{ steps.ask.output.why }}',
    currency: '{{ trigger.currency }}',
    twice: '{{ trigger.amount * 2.0 }}',
    text: 'for {{ trigger.amount }}',
    version: 3,
  },
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

const text = declarationsOf([HOOK, EXPENSE, INVOICE, QUEUE, { kind: 'objectType', slug: 'thing' }]);

/** The complaints of the strictest compiler about lines that use the declarations. */
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

test('right uses compile, and each wrong one does not', () => {
  const wrong = [
    "const a: Workflows['expense']['input'] = { currency: 'EUR' };",
    "const b: Workflows['expense']['input'] = { amount: 1, currency: 'GBP' };",
    "const c: Workflows['expense']['questions']['ask'] = { approved: 'yes' };",
    "const d: Entities['invoice'] = { total: 1, tags: ['c'] };",
    "const e: string = {} as Workflows['expense']['output']['why'];",
    "const f: number = {} as Workflows['expense']['output']['twice'];",
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
  ];
  expect(complaints([...right, ...wrong.flatMap((line) => ['// @ts-expect-error', line])])).toEqual([]);
});

test('files in another order give the same text', () => {
  expect(declarationsOf([{ kind: 'objectType', slug: 'thing' }, INVOICE, QUEUE, EXPENSE, HOOK])).toBe(text);
});
