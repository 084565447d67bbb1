// test: long
import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { offlineProblems } from '../../api/operations/bundles/offlineProblems.ts';
import type { BundleResource } from '../../domain/bundle/bundle.ts';
import { EXAMPLES_FOLDER, readExample } from '../../embedded/examples/exampleFolder.ts';
import { runExamples } from '../../embedded/examples/examples.ts';
import { api } from '../setup/api/client.ts';
import { poll } from '../setup/jest/poll.ts';
import { loopback } from '../setup/providers/loopback.ts';
import { say } from '../setup/providers/modelScript.ts';
import { makeAgentHome } from '../setup/workspace/agentHome.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { newMember } from '../setup/workspace/people.ts';

// Runs each folder of examples/ in an empty workspace; queueDocs and agentDocs run order-desk and support-agent,
// workerExamples those of customers' workers.

const NAMES = readdirSync(EXAMPLES_FOLDER, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() && entry.name !== 'workers' ? [entry.name] : [],
);

async function applied(home: Home, name: string, other = (each: BundleResource): BundleResource => each) {
  const resources = (await readExample(name)).map(other);
  const answer = await home.api('POST', `/api/projects/${home.projectId}/apply`, { body: { resources } });
  expect([answer.status, answer.body]).toEqual([200, expect.objectContaining({ applied: true })]);
  const { body } = await home.api('GET', '/api/workflows?expansion=slug');
  return Object.fromEntries(body.map(({ slug, id }: { slug: string; id: string }) => [slug, id])) as Record<
    string,
    string
  >;
}

async function items(home: Home, slug: string) {
  const { body: queues } = await home.api('GET', '/api/queues?expansion=slug');
  const queue = queues.find((each: { slug: string }) => each.slug === slug);
  return (await home.api('GET', `/api/queues/${queue.id}/items?expansion=data,status`)).body.items;
}

test.each(NAMES)('%s is valid offline, and can be run by its name', async (name) => {
  const resources = await readExample(name);
  expect(resources.length).toBeGreaterThan(0);
  expect(await offlineProblems(resources)).toEqual([]);
  await expect(runExamples([name, 'nothing'], {} as never)).rejects.toThrow('--example nothing');
});

test('order-summary and order-approval', async () => {
  const home = await makeHome();
  const said: string[] = [];
  await runExamples(['order-summary', 'order-approval', 'fan-out'], {
    credentials: { ...home, temporalUiUrl: null },
    namespace: 'default',
    say: (line) => said.push(line),
  });
  expect(said).toContainEqual(expect.stringContaining('"customer":"ADA"'));
  expect(said).toContain('Example fan-out: workflow example-fan-out');
  const { body: waiting } = await home.api('GET', '/api/pending-inputs');
  const [{ executionId }] = waiting;
  expect((await home.submit(executionId, 'approval', { decision: 'reject' }, undefined, home.api)).status).toBe(200);
  expect(await home.ended(executionId)).toMatchObject({ status: 'COMPLETED', output: { result: 'declined' } });
});

test('nightly-report', async () => {
  const home = await makeHome();
  const ids = await applied(home, 'nightly-report');
  for (const [region, amount] of [
    ['North', 120],
    ['South', 30.5],
    ['North', 80],
  ] as const) {
    const body = { objectTypeSlug: 'example-sale', name: 'Sale', attributes: { region, amount } };
    expect((await home.api('POST', '/api/objects', { body })).status).toBe(201);
  }
  const ended = await home.ended(await home.execute(ids['example-nightly-report'] ?? ''));
  expect(ended).toMatchObject({ status: 'COMPLETED' });
  expect(ended.output.report).toMatch(/^Sales of \d{4}-\d{2}-\d{2}\n/);
  expect(ended.output.report.split('\n').slice(1).sort()).toEqual(['North: 2 sales, 200.00', 'South: 1 sales, 30.50']);
  expect(await items(home, 'example-reports')).toMatchObject([{ data: { report: ended.output.report } }]);
  const next = await home.ended(await home.execute(ids['example-nightly-report'] ?? ''));
  expect(next.output).toEqual({ report: expect.stringMatching(/\nnothing was sold$/), regions: [] });
});

test('webhook-to-queue', async () => {
  const home = await makeHome();
  let calls = 0;
  const warehouse = await loopback((_, response) => {
    calls += 1;
    response.writeHead(calls === 1 ? 503 : 200, { 'content-type': 'application/json' }).end('{}');
  });
  const ids = await applied(home, 'webhook-to-queue', (each) =>
    each.kind === 'variable' ? { ...each, value: warehouse.url } : each,
  );
  const order = { id: '4711', total: 42.5 };
  for (let time = 0; time < 2; time += 1) {
    const { status } = await api(home.url)('POST', `/api/webhooks/workflows/${ids['example-receive-order']}`, {
      body: order,
    });
    expect(status).toBeLessThan(300);
  }
  const read = async () => (await items(home, 'example-orders')).map(({ status }: { status: string }) => status);
  await poll(read, { timeout: 40_000, interval: 100 }).toEqual(['COMPLETED']);
  expect(warehouse.calls.map(({ body }) => JSON.parse(body))).toEqual([order, order]);
});

test('approval-two-persons', async () => {
  const home = await makeHome();
  const ids = await applied(home, 'approval-two-persons');
  const executionId = await home.execute(ids['example-payment'] ?? '', { payee: 'Paper & Co', amount: 1200 });
  await home.asked(executionId, 'approval');
  const answer = (by: typeof home.api) => home.submit(executionId, 'approval', { approved: true }, undefined, by);
  // The key of the starter.
  expect((await answer(home.api)).status).toBe(403);
  for (const _ of ['first', 'second'])
    expect((await answer((await newMember(home, 'operator')).call)).status).toBe(200);
  expect(await home.ended(executionId)).toMatchObject({ status: 'COMPLETED', output: { paid: 1200 } });
  const small = await home.execute(ids['example-payment'] ?? '', { payee: 'Ada', amount: 5 });
  expect(await home.ended(small)).toMatchObject({ output: { paid: 5, approvedBy: [] } });
});

test('import-with-states', async () => {
  const home = await makeHome();
  const ids = await applied(home, 'import-with-states');
  const rows = [
    { number: 'A1', email: 'ada@example.com', amount: 10 },
    { number: 'A2', email: 'nobody', amount: 5 },
    { number: 'A3', amount: -1 },
  ];
  const ended = await home.ended(await home.execute(ids['example-import'] ?? '', { rows }));
  expect(ended).toMatchObject({ status: 'COMPLETED', output: { rows: 3 } });
  expect(ended.output.notImported).toEqual([expect.stringContaining('amount')]);
  const { body } = await home.api('GET', '/api/objects?objectTypeSlug=example-invoice&sortBy=name&sortOrder=asc');
  const states = body.items.map(({ name, state }: { name: string; state: string }) => [name, state]);
  expect(states).toEqual([
    ['Invoice A1', 'checked'],
    ['Invoice A2', 'rejected'],
  ]);
});

test('agent-in-workflow', async () => {
  const home = await makeAgentHome();
  const ids = await applied(home, 'agent-in-workflow', (each) =>
    each.kind === 'agent' ? { ...each, aiConnectionId: home.connectionId } : each,
  );
  home.provider.answer(say('Complaint'));
  const message = 'My lamp arrived broken.';
  const ended = await home.ended(await home.execute(ids['example-triage'] ?? '', { message }));
  expect(ended).toMatchObject({ status: 'COMPLETED' });
  expect(await items(home, 'example-complaints')).toMatchObject([{ data: { message } }]);
  home.provider.answer(say('praise'));
  const other = await home.ended(await home.execute(ids['example-triage'] ?? '', { message: 'Lovely!' }));
  expect(other.output).toEqual({ answer: 'Thank you for your message.' });
});

test('fan-out', async () => {
  const home = await makeHome();
  const ids = await applied(home, 'fan-out');
  const ended = await home.ended(await home.execute(ids['example-fan-out'] ?? '', { count: 1000 }));
  expect(ended).toMatchObject({ status: 'COMPLETED', output: { done: 1000, failed: 0 } });
});
