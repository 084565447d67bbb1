import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { offlineOutputs } from '../../api/operations/bundles/offlineOutputs.ts';
import { PROJECT_ROOT } from '../../projectRoot.ts';
import { onTestFinished } from '../../test/setup/jest/onTestFinished.ts';
import { declarationsOf } from './declarations.ts';

const EXPENSE = {
  kind: 'workflow',
  slug: 'expense',
  trigger: { type: 'manual', config: { fields: [{ key: 'amount', type: 'number', required: true }] } },
  nodes: [{ id: 'ask', type: 'input', inputs: { fields: [{ key: 'approved', type: 'boolean', required: true }] } }],
  output: { approved: '{{ steps.ask.output.approved }}', paid: '{{ trigger.amount * 2.0 }}' },
};
const PLAIN = { kind: 'workflow', slug: 'plain', nodes: [], output: 7 };
const INVOICE = {
  kind: 'objectType',
  slug: 'invoice',
  attributeSchema: { required: ['total'], properties: { total: { type: 'number' } } },
};
const REFUNDS = {
  kind: 'queue',
  slug: 'refunds',
  dataSchema: { required: ['order'], properties: { order: { type: 'string' } } },
};
const FILES = [EXPENSE, PLAIN, INVOICE, REFUNDS];

const CLIENT = JSON.stringify(join(PROJECT_ROOT, 'client/dist/index.js'));
const GIVEN = `import { createClient } from ${CLIENT};
import type { Project } from './perdure.js';
const client = createClient<Project>({ url: 'http://x', apiKey: 'k' });
const anyClient = createClient({ url: 'http://x' });
const id: string = '';
const text = (): string => id;
const { executionId } = await client.executeWorkflow({ workflow: 'finance/expense', body: { inputData: { amount: 1 } } });
const ended = await client.waitForExecution(executionId);
`;

const RIGHT = [
  "await client.executeWorkflow({ workflow: 'finance/plain' });",
  "await client.executeWorkflow({ workflow: 'finance/plain', body: { inputData: { any: 1 }, labels: { order: '1' } } });",
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a line of the program
  'await client.executeWorkflow({ workflow: `${text()}/expense`, body: { inputData: { amount: 2 } }, timeoutMs: 5 });',
  'await client.executeWorkflow({ path: { workflowId: id }, body: { inputData: { anything: 1 } } });',
  'const asText: string = executionId;',
  'const paid: number | undefined = ended.output?.paid;',
  'const unknownRun: unknown = (await client.waitForExecution(id)).output;',
  "await client.submitInput({ path: { executionId, nodeId: 'ask' }, body: { approved: true }, query: { token: 't' } });",
  'await client.submitInput({ path: { executionId: id, nodeId: id }, body: { anything: 1 } });',
  'await client.submitInput({ path: { executionId: id, nodeId: id } });',
  "await client.createObject({ body: { objectTypeSlug: 'invoice', name: 'A', attributes: { total: 1 } } });",
  "await client.createObject({ body: { objectTypeId: id, name: 'A', attributes: { any: 1 } } });",
  "const item: Project['queues']['refunds'] = { order: 'A-1' };",
  'await anyClient.executeWorkflow({ workflow: text(), body: { inputData: { any: 1 } } });',
  'const anyOutput: unknown = (await anyClient.waitForExecution(id)).output;',
  "await anyClient.createObject({ body: { objectTypeSlug: text(), name: 'A', attributes: { any: 1 } } });",
  'const usable: ReturnType<typeof createClient> = client;',
];

const WRONG = [
  "await client.executeWorkflow({ workflow: 'finance/expenses', body: { inputData: { amount: 1 } } });",
  "await client.executeWorkflow({ workflow: 'expense', body: { inputData: { amount: 1 } } });",
  "await client.executeWorkflow({ workflow: 'finance/expense' });",
  "await client.executeWorkflow({ workflow: 'finance/expense', body: {} });",
  "await client.executeWorkflow({ workflow: 'finance/expense', body: { inputData: { amount: 'much' } } });",
  "await client.executeWorkflow({ workflow: 'finance/expense', body: { inputData: { amount: 1, amnt: 2 } } });",
  'ended.output?.payed;',
  'const wrongPaid: string | undefined = ended.output?.paid;',
  'ended.output.paid;',
  "await client.submitInput({ path: { executionId, nodeId: 'asked' }, body: { approved: true } });",
  "await client.submitInput({ path: { executionId, nodeId: 'ask' }, body: { approved: 'yes' } });",
  "await client.submitInput({ path: { executionId, nodeId: 'ask' } });",
  "await client.createObject({ body: { objectTypeSlug: 'invoice', name: 'A', attributes: { totl: 1 } } });",
  "await client.createObject({ body: { objectTypeSlug: 'invoice', name: 'A' } });",
  "await client.createObject({ body: { objectTypeSlug: 'invoices', name: 'A', attributes: { total: 1 } } });",
  "const wrongItem: Project['queues']['refunds'] = { order: 1 };",
];

/** Compiles a program next to the types of the files under nodenext, and returns its errors with their lines. */
async function complaints(resources: Parameters<typeof declarationsOf>[0], program: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'perdure-typed-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'perdure.d.ts'), declarationsOf(resources, await offlineOutputs([...resources])));
  const use = join(folder, 'use.ts');
  writeFileSync(use, program);
  const options: ts.CompilerOptions = {
    ...{ strict: true, noEmit: true, types: ['node'], lib: ['lib.esnext.d.ts', 'lib.dom.d.ts'], skipLibCheck: true },
    ...{ module: ts.ModuleKind.NodeNext, target: ts.ScriptTarget.ESNext },
    typeRoots: [join(PROJECT_ROOT, 'node_modules/@types')],
  };
  return ts.getPreEmitDiagnostics(ts.createProgram([use], options)).map(({ file, start = 0, messageText }) => {
    const line = file?.text.slice(start).split('\n', 2).join(' ');
    return `${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

test('a client of a project compiles with its inputs, answers, outputs and entities, and with no others', async () => {
  const program = [GIVEN, ...RIGHT, ...WRONG.flatMap((line) => ['// @ts-expect-error', line])].join('\n');
  expect(await complaints(FILES, program)).toEqual([]);
});

test('the typed example of docs/client.md compiles', async () => {
  const page = readFileSync(join(PROJECT_ROOT, 'docs/client.md'), 'utf8');
  const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, example = '']) => example);
  const typed = examples.find((example) => example.includes('createClient<Project>')) ?? '';
  expect(typed).toContain("'./perdure.js'");
  const expense = { ...EXPENSE, output: { refund: '{{ trigger.amount }}' } };
  expect(await complaints([expense], typed.replace("'perdure-client'", CLIENT))).toEqual([]);
});
