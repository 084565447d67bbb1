// test: pglite
import { expect, test } from '@jest/globals';
import pg from 'pg';
import type { TriggerNode } from '../../domain/workflow/definition.ts';
import { addItems, countsOf, itemsOf, makeQueue, type QueueSettings } from '../setup/database/queueRows.ts';
import { onTestFinished } from '../setup/jest/onTestFinished.ts';
import { poll } from '../setup/jest/poll.ts';
import { inject } from '../setup/stack/inject.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { action, chain, question } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const database = stackDatabase();
const SOON = { retryDelayMinutes: 0.005 };
const HOLDS = question('ask');

function queueTrigger(queueId: string, batchSize?: number): TriggerNode {
  return { id: 'trigger', type: 'queue', config: { queueId, ...(batchSize === undefined ? {} : { batchSize }) } };
}

async function homeWithQueue(settings: QueueSettings = {}) {
  const home = await makeHome();
  const queueId = await makeQueue(database, home, settings);
  const add = (items: Parameters<typeof addItems>[3]) => addItems(database, home.workspaceId, queueId, items);
  return { home, queueId, add, counts: () => countsOf(database, queueId) };
}

async function batches(home: Home, queueId: string) {
  const rows = await database.execution.findMany({
    where: { workspaceId: home.workspaceId, queueId },
    orderBy: { number: 'asc' },
    select: { id: true, number: true, status: true, trigger: true },
  });
  return rows.map((row) => ({ ...row, items: (row.trigger as { items: { id: string }[] }).items }));
}

async function notifications(): Promise<string[]> {
  const notified: string[] = [];
  const client = new pg.Client({ connectionString: inject('stack').databaseUrl });
  onTestFinished(() => client.end());
  client.on('notification', ({ payload = '' }) => notified.push(payload));
  await client.connect();
  await client.query('LISTEN perdure_queue');
  return notified;
}

test('items are taken in order, in batches, and end as their execution does', async () => {
  const { home, queueId, add, counts } = await homeWithQueue({ batchSize: 3 });
  const ids = await add([{}, { priority: 5, data: { n: 1 } }, {}, { priority: 100 }, {}, {}, { priority: -1 }]);
  const output = '{{ trigger.items }}';
  await home.deploy({ trigger: queueTrigger(queueId), nodes: [action('take', 'core.transform', { value: output })] });
  await poll(counts).toEqual({ COMPLETED: 7 });
  const all = await batches(home, queueId);
  const order = [3, 1, 0, 2, 4, 5, 6].map((index) => ids[index]);
  expect(all.map(({ items }) => items.map(({ id }) => id))).toEqual([
    order.slice(0, 3),
    order.slice(3, 6),
    order.slice(6),
  ]);
  expect(all[0]?.items[1]).toEqual({
    id: ids[1],
    externalId: null,
    data: { n: 1 },
    metadata: {},
    priority: 5,
    objectId: null,
    retryCount: 0,
    createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  const execution = await home.read(all[0]?.id ?? '');
  expect(execution).toMatchObject({ status: 'COMPLETED', output: all[0]?.items });
  for (const item of await itemsOf(database, queueId)) {
    const own = all.find(({ items }) => items.some(({ id }) => id === item.id));
    expect(item).toMatchObject({ executionId: null, lastExecutionId: own?.id, retryCount: 0 });
  }
  const other = await homeWithQueue();
  await other.add([{}, {}, {}]);
  const nodes = [action('take', 'core.transform', { value: output })];
  await other.home.deploy({ trigger: queueTrigger(other.queueId, 1), nodes });
  await poll(other.counts).toEqual({ COMPLETED: 3 });
  expect(await batches(other.home, other.queueId)).toHaveLength(3);
});

test('a failed execution spends a retry of each of its items, after a time; without retries left they fail', async () => {
  const { home, queueId, add, counts } = await homeWithQueue({ maxRetries: 1, ...SOON });
  await home.deploy({ trigger: queueTrigger(queueId), nodes: [action('no', 'testing.fail', { message: 'Not this' })] });
  const [id = ''] = await add([{}, {}]);
  await poll(counts).toEqual({ FAILED: 2 });
  const all = await batches(home, queueId);
  const errors = await database.queueItemError.findMany({ where: { itemId: id }, orderBy: { ordinal: 'asc' } });
  expect(errors).toMatchObject([
    { code: 'EXECUTION_FAILED', attempt: 1, executionId: all[0]?.id, by: { type: 'execution', id: all[0]?.id } },
    { code: 'EXECUTION_FAILED', attempt: 2 },
  ]);
  expect(errors[0]?.message).toMatch(/^The execution failed: .*Not this/);
  expect((await itemsOf(database, queueId))[0]).toMatchObject({ retryCount: 1, lastError: errors[1]?.message });
});

test('cancelled, terminated by hand and timed out, an execution gives its items back with an error', async () => {
  const { home, queueId, add, counts } = await homeWithQueue({ batchSize: 1, maxConcurrent: 3, maxRetries: 0 });
  await home.deploy({ slug: 'w', trigger: queueTrigger(queueId), nodes: [HOLDS] });
  await add([{}, {}]);
  await poll(async () => (await batches(home, queueId)).map(({ status }) => status)).toEqual([
    'NEEDS_INPUT',
    'NEEDS_INPUT',
  ]);
  await home.deploy({ slug: 'w', trigger: queueTrigger(queueId), nodes: [HOLDS], timeoutMs: 100 });
  await add([{}]);
  const [first, second] = await batches(home, queueId);
  await home.api('POST', `/api/executions/${first?.id}/cancel`);
  await (await stackTemporal()).workflow.getHandle(second?.id ?? '').terminate('by hand');
  await poll(counts, { timeout: 40_000 }).toEqual({ FAILED: 3 });
  const errors = await database.queueItemError.findMany({ where: { workspaceId: home.workspaceId } });
  expect(errors.map(({ code }) => code).sort()).toEqual([
    'EXECUTION_CANCELLED',
    'EXECUTION_CANCELLED',
    'EXECUTION_TIMED_OUT',
  ]);
}, 60_000);

test('an item that is taken out of the hands of an execution warns of that, until the execution ends', async () => {
  const { home, queueId, add } = await homeWithQueue({ batchSize: 4, maxConcurrent: 1, retryDelayMinutes: 60 });
  await home.deploy({
    trigger: queueTrigger(queueId),
    nodes: [action('done', 'queue.fail', { itemId: '{{ trigger.items[3].id }}', message: 'No' }), HOLDS],
    edges: chain('done', 'ask'),
  });
  const [failed = '', moved = '', ended = '', own = ''] = await add([{}, {}, {}, {}]);
  await poll(async () => (await batches(home, queueId)).map(({ status }) => status)).toEqual(['NEEDS_INPUT']);
  const [execution] = await batches(home, queueId);
  const path = (id: string) => `/api/queues/${queueId}/items/${id}`;
  const warning = {
    code: 'EXECUTION_GOES_ON',
    message: expect.stringContaining(`Execution ${execution?.number} still works on this item`),
    executionId: execution?.id,
  };
  const answers = [
    await home.api('POST', `${path(failed)}/error`, { body: { error: 'by hand' } }),
    await home.api('PATCH', `${path(moved)}/status`, {
      body: { status: 'PENDING', scheduledFor: '2099-01-01T00:00:00.000Z' },
    }),
    await home.api('PATCH', `${path(ended)}/status`, { body: { status: 'FAILED', error: 'by hand' } }),
    await home.api('POST', `${path(ended)}/requeue`),
  ];
  expect(answers.map(({ status, body }) => [status, body.status, body.warning])).toEqual([
    [201, 'RETRYING', warning],
    [200, 'PENDING', warning],
    [200, 'FAILED', warning],
    [200, 'PENDING', warning],
  ]);
  // The execution settled this item itself, even if a person changes it later.
  const settled = await home.api('PATCH', `${path(own)}/status`, { body: { status: 'CANCELLED' } });
  expect([settled.status, 'warning' in settled.body]).toEqual([200, false]);
  const warnings = async () =>
    Promise.all(
      [failed, moved, ended, own].map(
        async (id) => (await home.api('GET', `${path(id)}?expansion=warning`)).body.warning,
      ),
    );
  expect(await warnings()).toEqual([warning, warning, warning, null]);
  await home.api('POST', `/api/executions/${execution?.id}/cancel`);
  await poll(async () => (await batches(home, queueId)).find(({ id }) => id === execution?.id)?.status).toBe(
    'CANCELLED',
  );
  expect(await warnings()).toEqual([null, null, null, null]);
});

test('queue and workflow each hold the items above their limit, and continue from there', async () => {
  const { home, queueId, add, counts } = await homeWithQueue({ batchSize: 1, maxConcurrent: 2 });
  const workflowId = await home.deploy({ slug: 'w', trigger: queueTrigger(queueId), nodes: [HOLDS] });
  await add([{}, {}, {}, {}]);
  const open = async () =>
    (await batches(home, queueId)).filter(({ status }) => status === 'NEEDS_INPUT').map(({ id }) => id);
  await poll(async () => (await open()).length).toBe(2);
  expect(await counts()).toEqual({ PROCESSING: 2, PENDING: 2 });
  // If the workflow's limit is below the queue's, the next one begins only when both have room.
  await home.deploy({ slug: 'w', trigger: queueTrigger(queueId), nodes: [HOLDS], maxConcurrent: 1 });
  const [first = '', second = ''] = await open();
  expect((await home.submit(first, 'ask', { answer: 'x' })).status).toBe(200);
  await poll(counts).toEqual({ COMPLETED: 1, PROCESSING: 1, PENDING: 2 });
  expect((await home.submit(second, 'ask', { answer: 'x' })).status).toBe(200);
  await poll(counts).toEqual({ COMPLETED: 2, PROCESSING: 1, PENDING: 1 });
  await poll(async () => (await open()).length).toBe(1);
  // A paused workflow takes no items: they stay ready in the queue, and no execution is held.
  await home.api('POST', `/api/workflows/${workflowId}/pause`);
  const [third = ''] = await open();
  expect((await home.submit(third, 'ask', { answer: 'x' })).status).toBe(200);
  await poll(counts).toEqual({ COMPLETED: 3, PENDING: 1 });
  expect(await batches(home, queueId)).toHaveLength(3);
  // An inactive queue hands out no items either, even if the workflow resumes.
  await database.queue.update({ where: { id: queueId }, data: { isActive: false } });
  await home.api('POST', `/api/workflows/${workflowId}/resume`);
  await add([{ priority: 1 }]);
  await home.run({ nodes: [action('pass', 'testing.wait', { ms: 300 })] });
  expect(await counts()).toEqual({ COMPLETED: 3, PENDING: 2 });
  await database.queue.update({ where: { id: queueId }, data: { isActive: true } });
  await poll(async () => (await open()).length).toBe(1);
  expect((await batches(home, queueId)).at(-1)?.items).toMatchObject([{ priority: 1 }]);
}, 60_000);

test('several workflows of one queue have batches in turn', async () => {
  const { home, queueId, add, counts } = await homeWithQueue({ batchSize: 1, isActive: false });
  const nodes = [action('take', 'core.set', { values: { ok: true } })];
  const graph = { trigger: queueTrigger(queueId), nodes };
  const workflows = await Promise.all(Array.from({ length: 3 }, () => home.deploy(graph)));
  await add(Array.from({ length: 12 }, () => ({})));
  await database.queue.update({ where: { id: queueId }, data: { isActive: true } });
  await poll(counts).toEqual({ COMPLETED: 12 });
  const own = await database.execution.groupBy({ by: ['workflowId'], where: { queueId }, _count: true });
  expect(own.map(({ workflowId }) => workflowId).sort()).toEqual([...workflows].sort());
  // Room for two may appear between checks, so the turns may differ by one.
  for (const { _count: turns } of own) expect(Math.abs(turns - 4)).toBeLessThanOrEqual(1);
});

test('a workspace with many items does not make another one wait', async () => {
  const busy = await homeWithQueue({ batchSize: 1, maxConcurrent: 20, isActive: false });
  const nodes = [action('work', 'testing.wait', { ms: 50 })];
  await busy.home.deploy({ trigger: queueTrigger(busy.queueId), nodes });
  await busy.add(Array.from({ length: 300 }, () => ({})));
  const other = await homeWithQueue();
  await other.home.deploy({ trigger: queueTrigger(other.queueId), nodes });
  await database.queue.update({ where: { id: busy.queueId }, data: { isActive: true } });
  await poll(async () => (await busy.counts()).COMPLETED ?? 0).toBeGreaterThan(20);
  await other.add([{}]);
  await poll(other.counts).toEqual({ COMPLETED: 1 });
  expect((await busy.counts()).PENDING).toBeGreaterThan(100);
  await database.queue.update({ where: { id: busy.queueId }, data: { isActive: false } });
}, 60_000);

test('the end of a retried execution, which counts towards the limit of its workflow, notifies the queue', async () => {
  const { home, queueId, add, counts } = await homeWithQueue({ batchSize: 1, maxRetries: 0 });
  await home.deploy({ trigger: queueTrigger(queueId), nodes: [HOLDS], maxConcurrent: 1 });
  await add([{}]);
  await poll(async () => (await batches(home, queueId)).map(({ status }) => status)).toEqual(['NEEDS_INPUT']);
  const [first] = await batches(home, queueId);
  await home.api('POST', `/api/executions/${first?.id}/cancel`);
  await poll(counts).toEqual({ FAILED: 1 });
  const { body: retried } = await home.api('POST', `/api/executions/${first?.id}/retry`, { body: {} });
  await home.asked(retried.executionId, 'ask');
  await add([{}]);
  const notified = await notifications();
  expect(await counts()).toEqual({ FAILED: 1, PENDING: 1 });
  expect((await home.submit(retried.executionId, 'ask', { answer: 'x' })).status).toBe(200);
  await poll(() => notified).toContain(`${home.workspaceId} ${queueId} `);
  await poll(counts).toEqual({ FAILED: 1, PROCESSING: 1 });
}, 60_000);

test('the release of a held execution, behind which batches wait, notifies the queue', async () => {
  const { home, queueId, add, counts } = await homeWithQueue({ batchSize: 1, maxRetries: 0, maxConcurrent: 2 });
  const workflowId = await home.deploy({ trigger: queueTrigger(queueId), nodes: [HOLDS], maxConcurrent: 2 });
  await add([{}]);
  await poll(async () => (await batches(home, queueId)).map(({ status }) => status)).toEqual(['NEEDS_INPUT']);
  const [first] = await batches(home, queueId);
  await home.api('POST', `/api/executions/${first?.id}/cancel`);
  await poll(counts).toEqual({ FAILED: 1 });
  await home.api('POST', `/api/workflows/${workflowId}/pause`);
  const { body: retried } = await home.api('POST', `/api/executions/${first?.id}/retry`, { body: {} });
  expect((await home.read(retried.executionId, 'held')).held).toBe(true);
  await add([{}]);
  const notified = await notifications();
  await home.api('POST', `/api/workflows/${workflowId}/resume`);
  await home.asked(retried.executionId, 'ask');
  await poll(() => notified).toContain(`${home.workspaceId} ${queueId} `);
  await poll(counts).toEqual({ FAILED: 1, PROCESSING: 1 });
}, 60_000);

test('scheduled items begin at their time, in order with other due items', async () => {
  const { home, queueId, add, counts } = await homeWithQueue({ batchSize: 10 });
  await home.deploy({ trigger: queueTrigger(queueId), nodes: [action('take', 'core.set', { values: { ok: true } })] });
  const [later, now] = await add([{ inMs: 700 }, {}]);
  await poll(counts).toEqual({ COMPLETED: 1, PENDING: 1 });
  await poll(counts).toEqual({ COMPLETED: 2 });
  expect((await batches(home, queueId)).map(({ items }) => items.map(({ id }) => id))).toEqual([[now], [later]]);
  const [item] = await database.queueItem.findMany({ where: { id: later ?? '' } });
  expect(item?.processingStartedAt?.getTime()).toBeGreaterThanOrEqual(item?.scheduledFor?.getTime() ?? Infinity);
});

test('the batch of an execution is limited by bytes too, and a larger item comes alone', async () => {
  const { home, queueId, add, counts } = await homeWithQueue({ batchSize: 10 });
  const data = (bytes: number) => ({ data: { text: 'x'.repeat(bytes) } });
  await add([data(2_000_000), data(2_000_000), data(2_000_000), data(5_000_000), data(10)]);
  await home.deploy({ trigger: queueTrigger(queueId), nodes: [action('take', 'core.set', { values: { ok: true } })] });
  await poll(counts).toEqual({ COMPLETED: 5 });
  expect((await batches(home, queueId)).map(({ items }) => items.length)).toEqual([2, 1, 1, 1]);
});

test('a queue trigger names a queue of the workspace, and people do not start it', async () => {
  const { home, queueId } = await homeWithQueue();
  const theirs = await homeWithQueue();
  const upsert = (config: object) =>
    home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, {
      body: { slug: 'w', trigger: { type: 'queue', config }, nodes: [HOLDS], edges: chain() },
    });
  for (const config of [{ queueId: theirs.queueId }, { queueId: 'x' }, {}, { queueId, batchSize: 0 }]) {
    const { status, body } = await upsert(config);
    expect([status, body.errors?.length]).toEqual([400, 1]);
    expect(body.errors[0].path).toMatch(/^trigger\.config\.(queueId|batchSize)$/);
  }
  const { body } = await upsert({ queueId });
  const started = await home.api('POST', `/api/executions/workflows/${body.id}/execute`, { body: {} });
  expect(started).toMatchObject({ status: 400, body: { code: 'WORKFLOW_NOT_EXECUTABLE' } });
});
