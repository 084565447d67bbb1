import { expect, test } from '@jest/globals';
import { expectAbout } from '../setup/jest/expectAbout.ts';
import { poll } from '../setup/jest/poll.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { action, control, manual, question, webhook } from '../setup/workspace/graph.ts';
import { type Home, makeHome } from '../setup/workspace/home.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const NODES = [action('a', 'core.set', { values: {} })];

async function labelsOf(home: Home, executionId: string): Promise<Record<string, string>> {
  return (await home.api('GET', `/api/executions/${executionId}?expansion=labels`)).body.labels;
}

async function startOf(home: Home, executionId: string): Promise<object> {
  return (await home.api('GET', `/api/executions/${executionId}?expansion=startedBy`)).body.startedBy;
}

async function found(home: Home, filterBy: string): Promise<string[]> {
  const { status, body } = await home.api('GET', `/api/executions?filterBy=${encodeURIComponent(filterBy)}`);
  expectAbout(status, filterBy).toBe(200);
  return body.map(({ id }: { id: string }) => id).sort();
}

async function inEngine(executionId: string): Promise<unknown> {
  const { searchAttributes } = await (await stackTemporal()).workflow.getHandle(executionId).describe();
  return searchAttributes.PerdureLabels;
}

function upsert(home: Home, slug: string, more: object) {
  const path = `/api/projects/${home.projectId}/workflows/upsert`;
  return home.api('POST', path, { body: { slug, nodes: NODES, edges: [], ...more } });
}

test('labels of the definition and of the body are in the row and in the engine, and find the execution', async () => {
  const home = await makeHome();
  const trigger = manual({ key: 'pin', label: 'PIN', type: 'secret', required: false });
  const labels = {
    order: '{{ trigger.order }}',
    amount: '{{ trigger.amount * 2 }}',
    long: 'order-{{ trigger.long }}',
    team: 'billing',
    pin: '{{ trigger.pin }}',
    missing: '{{ trigger.nothing.here }}',
    empty: '{{ trigger.blank }}',
  };
  const stored = await upsert(home, 'orders', { trigger, labels });
  expect(stored.status).toBe(200);
  const path = `/api/executions/workflows/${stored.body.id}/execute`;
  const inputData = { order: 'A-1042', amount: 21.25, long: 'ä'.repeat(200), pin: 'very-secret-pin', blank: '  ' };
  const given = { team: 'refunds', by: 'Ada, the very-secret-pin' };
  const started = await home.api('POST', path, { body: { inputData, labels: given } });
  const { executionId } = started.body;
  await home.ended(executionId);
  const all = {
    ...{ order: 'A-1042', amount: '42.5', long: `order-${'ä'.repeat(94)}`, team: 'refunds' },
    ...{ pin: '***', by: 'Ada, the ***' },
  };
  expect(await labelsOf(home, executionId)).toEqual(all);
  expect([...((await inEngine(executionId)) as string[])].sort()).toEqual(
    Object.entries(all)
      .map(([key, value]) => `${key}=${value}`)
      .sort(),
  );
  await poll(async () => {
    const ids: string[] = [];
    const list = (await stackTemporal()).workflow.list({ query: "PerdureLabels = 'order=A-1042'" });
    for await (const { workflowId } of list) ids.push(workflowId);
    return ids;
  }).toContain(executionId);

  const other = (await home.api('POST', path, { body: { inputData: { order: 'B-7' } } })).body.executionId;
  await home.ended(other);
  expect(await found(home, 'label.order:A-1042')).toEqual([executionId]);
  expect(await found(home, 'label.team:billing,status:COMPLETED')).toEqual([other]);
  expect(await found(home, `label.by:${'Ada%2C the ***'}`)).toEqual([executionId]);
  expect(await found(home, 'label.order:A')).toEqual([]);
  const counted = await home.api('GET', '/api/executions/counts?filterBy=label.order:B-7');
  expect(counted.body).toMatchObject({ COMPLETED: 1, FAILED: 0 });
  const stranger = await makeHome();
  expect(await found(stranger, 'label.order:A-1042')).toEqual([]);

  const retried = await home.api('POST', `/api/executions/${executionId}/retry`, { body: { input: { order: 'C-1' } } });
  await home.ended(retried.body.executionId);
  expect(await labelsOf(home, retried.body.executionId)).toEqual(all);
  expect(await inEngine(retried.body.executionId)).toContain('order=A-1042');

  const bulk = await home.api('POST', '/api/executions/bulk/cancel', { body: { filterBy: 'label.order:B-7' } });
  expect(bulk.body).toMatchObject({ matched: 0 });
  const { body: read } = await home.api('GET', `/api/workflows/${stored.body.id}?expansion=labels`);
  expect(read.labels).toEqual(labels);
});

test('each way to start a workflow labels, and is named: webhooks, other workflows, queues', async () => {
  const home = await makeHome();
  const hook = await upsert(home, 'hook', {
    trigger: webhook({ respond: 'whenFinished' }),
    labels: { order: '{{ trigger.body.order }}' },
  });
  const headers = { 'x-api-key': home.apiKey };
  const called = await home.api('POST', `/api/webhooks/workflows/${hook.body.id}`, { body: { order: 7 }, headers });
  expect(await labelsOf(home, String(called.headers.get('x-execution-id')))).toEqual({ order: '7' });

  const inner = await upsert(home, 'inner', { labels: { kind: 'inner', of: '{{ trigger.of }}' } });
  const nodes = [control('call', 'runWorkflow', { workflowId: inner.body.id, input: { of: 'outer' } })];
  const outer = await upsert(home, 'outer', { nodes, labels: { kind: 'outer' } });
  const caller = await home.execute(outer.body.id);
  await home.ended(caller);
  const [child] = await found(home, 'label.kind:inner');
  expect(await labelsOf(home, String(child))).toEqual({ kind: 'inner', of: 'outer' });
  expect(await startOf(home, String(child))).toEqual({ type: 'workflow', id: outer.body.id, name: 'outer' });
  expect([...((await inEngine(String(child))) as string[])].sort()).toEqual(['kind=inner', 'of=outer']);
  expect(await found(home, 'label.kind:outer')).toEqual([caller]);

  const queue = await home.api('POST', `/api/queues?projectId=${home.projectId}`, { body: { name: 'orders' } });
  await upsert(home, 'batches', {
    trigger: { id: 'trigger', type: 'queue', config: { queueId: queue.body.id, batchSize: 1 } },
    labels: { first: '{{ trigger.items[0].data.order }}' },
  });
  await home.api('POST', `/api/queues/${queue.body.id}/items`, { body: { data: { order: 'Q-1' } } });
  await poll(() => found(home, 'label.first:Q-1')).toHaveLength(1);
  const [batch] = await found(home, 'label.first:Q-1');
  expect(await inEngine(String(batch))).toEqual(['first=Q-1']);
  expect(await startOf(home, String(batch))).toEqual({ type: 'queue', id: queue.body.id, name: 'orders' });
});

test('a batch whose process died before its labels were stored has them once the reconciler starts it', async () => {
  const home = await makeHome();
  const workflow = await upsert(home, 'held', {
    nodes: [question('ask')],
    labels: { order: '{{ trigger.order }}' },
    maxConcurrent: 1,
  });
  const first = await home.execute(workflow.body.id, { order: 'first' });
  await home.asked(first, 'ask');
  const held = await home.execute(workflow.body.id, { order: 'second' });
  await stackDatabase().$executeRaw`UPDATE executions SET labels = NULL WHERE id = ${held}::uuid`;
  expect(await labelsOf(home, held)).toEqual({});
  await home.api('POST', `/api/executions/${first}/cancel`);
  await home.asked(held, 'ask');
  expect(await labelsOf(home, held)).toEqual({ order: 'second' });
  expect(await inEngine(held)).toEqual(['order=second']);
});

test('labels that cannot be are refused with their place', async () => {
  const home = await makeHome();
  const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`k${index}`, 'x']));
  const refused = [
    [{ 'a b': 'x' }, 'labels["a b"]'],
    [{ a: '{{ steps.a.output }}' }, 'labels.a'],
    [{ a: '{{ now }}' }, 'labels.a'],
    [{ a: '{{ variables.x }}' }, 'labels.a'],
    [{ a: '{{ trigger. }}' }, 'labels.a'],
    [{ a: 'x'.repeat(101) }, 'labels.a'],
    [eleven, 'labels'],
  ] as const;
  for (const [labels, place] of refused) {
    const { status, body } = await upsert(home, 'refused', { labels });
    expectAbout([status, body.errors?.[0]?.path], JSON.stringify(labels)).toEqual([400, place]);
  }
  const linear = await home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, {
    body: { slug: 'linear', steps: [{ appId: 'core', actionId: 'set', inputs: { values: {} } }], labels: { a: 'x' } },
  });
  const path = `/api/executions/workflows/${linear.body.id}/execute`;
  const ten = Object.fromEntries(Object.entries(eleven).slice(0, 10));
  for (const labels of [eleven, ten, { 'a b': 'x' }, { a: '' }, { a: 'x'.repeat(101) }, { a: 1 }]) {
    const { status, body } = await home.api('POST', path, { body: { labels } });
    expectAbout([status, body.code], JSON.stringify(labels)).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.errors[0].path).toMatch(/^labels/);
  }
  const nine = Object.fromEntries(Object.entries(eleven).slice(0, 9));
  const started = await home.api('POST', path, { body: { labels: nine } });
  expect(started.status).toBe(201);
  expect(Object.keys(await labelsOf(home, started.body.executionId))).toHaveLength(10);
});
