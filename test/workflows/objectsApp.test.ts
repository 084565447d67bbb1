// test: pglite
import { expect, test } from '@jest/globals';
import type { JsonObject } from '../../domain/json.ts';
import { poll } from '../setup/jest/poll.ts';
import { stackTemporal } from '../setup/stack/temporal.ts';
import { action, chain } from '../setup/workspace/graph.ts';
import { type Home, makeHome, stepOf } from '../setup/workspace/home.ts';
import { ORDER_TYPE } from '../setup/workspace/orderDesk.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const POLL = { timeout: 40_000, interval: 200 };
const SELDOM_MS = 366 * 86_400_000;

async function deskAt() {
  const home = await makeHome();
  const post = (path: string, body: unknown) => home.api('POST', path, { body });
  await post('/api/object-types/upsert', ORDER_TYPE);
  const create = async (body: object) =>
    (await post('/api/objects', { objectTypeSlug: 'order', attributes: { total: 1 }, ...body })).body;
  return { home, post, create };
}

test('a workflow makes, changes, moves and finds entities; the history names its execution', async () => {
  const { home } = await deskAt();
  const nodes = [
    action('make', 'objects.create', {
      objectTypeSlug: 'order',
      name: 'Order {{ trigger.no }}',
      attributes: { total: '{{ trigger.total }}' },
    }),
    action('change', 'objects.update', { id: '{{ steps.make.output.id }}', attributes: { note: 'Soon' } }),
    action('move', 'objects.setState', {
      id: '{{ steps.change.output.id }}',
      state: 'approved',
      attributes: { approvedBy: '{{ "Ann" }}', note: null },
    }),
    action('find', 'objects.find', { objectTypeSlug: 'order', attributes: { total: 12.5 }, states: ['approved'] }),
  ];
  const execution = await home.run(
    { nodes, edges: chain('trigger', 'make', 'change', 'move', 'find') },
    { no: 7, total: 12.5 },
  );
  expect(execution.status).toBe('COMPLETED');
  const { id } = stepOf(execution, 'make').output;
  const entity = { id, name: 'Order 7', state: 'approved', attributes: { total: 12.5, approvedBy: 'Ann' } };
  expect(execution.output).toMatchObject({ items: [entity], total: 1 });
  const read = await home.api('GET', `/api/objects/${id}?expansion=attributes,stateHistory,createdBy`);
  expect(read.body).toMatchObject({ ...entity, createdBy: null });
  expect(read.body.stateHistory).toMatchObject([
    { from: 'draft', to: 'approved', changedBy: { type: 'execution', id: execution.id } },
  ]);
});

test.each<[string, string, JsonObject, string]>([
  ['an unknown type', 'objects.create', { objectTypeSlug: '{{ "nothing" }}', name: 'x' }, 'NOT_FOUND'],
  [
    'a wrong attribute',
    'objects.create',
    { objectTypeSlug: 'order', name: 'x', attributes: { total: '{{ "x" }}' } },
    'VALIDATION_FAILED',
  ],
  ['no id', 'objects.update', { id: 'x' }, 'VALIDATION_FAILED'],
  ['an unknown entity', 'objects.setState', { id: '01935b1e-7c00-7c4f-8d6a-0a1b2c3d4e5f', state: 'a' }, 'NOT_FOUND'],
  ['too many at once', 'objects.find', { objectTypeSlug: 'order', limit: 1_001 }, 'INVALID_INPUT'],
])('%s fails the step and is not tried again', async (_, what, inputs, code) => {
  const { home } = await deskAt();
  const execution = await home.run({ nodes: [action('a', what, inputs)] });
  expect(stepOf(execution, 'a')).toMatchObject({ status: 'FAILED', attempt: 1, error: { code } });
});

test("another workspace's entities are as ones that do not exist", async () => {
  const theirs = await deskAt();
  const { id } = await theirs.create({ name: 'Theirs' });
  const { home } = await deskAt();
  for (const [what, inputs] of [
    ['objects.update', { id, name: 'Mine' }],
    ['objects.setState', { id, state: 'cancelled', reason: 'x' }],
  ] as const) {
    const execution = await home.run({ nodes: [action('a', what, inputs)] });
    expect(stepOf(execution, 'a').error.code).toBe('NOT_FOUND');
  }
  const found = await home.run({ nodes: [action('a', 'objects.find', { objectTypeSlug: 'order' })] });
  expect(found.output).toEqual({ items: [], total: 0 });
});

async function follows(home: Home, inputs: JsonObject, startWith: 'new' | 'all' = 'new') {
  const config = { appId: 'objects', triggerId: 'changed', inputs, everyMs: SELDOM_MS, startWith };
  const trigger = { id: 'trigger' as const, type: 'poll' as const, config };
  return home.deploy({ trigger, nodes: [action('show', 'core.transform', { value: '{{ trigger.item }}' })] });
}

async function look(home: Home, workflowId: string): Promise<string> {
  return (await stackTemporal()).workflow.execute('runPoll', {
    workflowId: `poll-${workflowId}-${Math.random()}`,
    taskQueue: 'perdure',
    args: [{ workspaceId: home.workspaceId, workflowId }],
  });
}

interface Change {
  change: string;
  from: string | null;
  to: string | null;
  object: { name: string };
}

async function changes(home: Home, workflowId: string): Promise<[string, string][]> {
  const path = `/api/executions?filterBy=workflowId:${workflowId}&expansion=status,output,executionNumber`;
  const { body } = await home.api('GET', path);
  const done = body as { status: string; output: Change; executionNumber: number }[];
  return done
    .filter(({ status }) => status === 'COMPLETED')
    .toSorted((a, b) => a.executionNumber - b.executionNumber)
    .map(({ output }) => [output.change, output.object.name]);
}

test('objects.changed starts an execution with each change that is asked for, and with none twice', async () => {
  const { home, post, create } = await deskAt();
  await create({ name: 'Before' });
  await home.api('POST', '/api/object-types/upsert', { body: { slug: 'other' } });
  const all = await follows(home, {});
  const moves = await follows(home, { objectTypeSlug: 'order', changes: ['stateChanged'] });
  const others = await follows(home, { objectTypeSlug: 'other' });
  for (const workflowId of [all, moves, others]) expect(await look(home, workflowId)).toBe('POLLED 0');

  const { id } = await create({ name: 'A' });
  await home.api('PATCH', `/api/objects/${id}`, { body: { attributes: { note: 'x' } } });
  await post(`/api/objects/${id}/state`, { state: 'cancelled', reason: 'x' });
  await home.api('DELETE', `/api/objects/${id}`);
  await post(`/api/objects/${id}/restore`, undefined);
  expect(await look(home, all)).toBe('POLLED 5');
  expect(await look(home, all)).toBe('POLLED 0');
  expect(await look(home, moves)).toBe('POLLED 1');
  expect(await look(home, others)).toBe('POLLED 0');
  await poll(() => changes(home, all), POLL).toEqual([
    ['created', 'A'],
    ['updated', 'A'],
    ['stateChanged', 'A'],
    ['deleted', 'A'],
    ['restored', 'A'],
  ]);
  await poll(() => changes(home, moves), POLL).toEqual([['stateChanged', 'A']]);

  // Simulates a worker that died after starting them, before it stored their keys.
  await stackDatabase().$executeRaw`DELETE FROM poll_seen_keys WHERE workflow_id = ${all}::uuid`;
  await stackDatabase()
    .$executeRaw`UPDATE poll_storage SET cursor = '{"transaction": "0", "id": "0"}' WHERE workflow_id = ${all}::uuid`;
  await look(home, all);
  await poll(() => changes(home, all), POLL).toHaveLength(6);
  expect((await changes(home, all)).filter(([, name]) => name === 'Before')).toEqual([['created', 'Before']]);
});

test('the first look has the changes since the trigger was switched on, however long ago that was', async () => {
  const { home, create } = await deskAt();
  const slug = 'follows';
  const nodes = [action('show', 'core.transform', { value: '{{ trigger.item }}' })];
  const deploy = (inputs: JsonObject, { everyMs = SELDOM_MS, isActive = true } = {}) => {
    const config = { appId: 'objects', triggerId: 'changed', inputs, everyMs };
    return home.deploy({ slug, trigger: { id: 'trigger', type: 'poll', config }, nodes, isActive });
  };
  await create({ name: 'before' });
  const workflowId = await deploy({});
  await create({ name: 'first' });
  await deploy({}, { everyMs: SELDOM_MS - 1_000 });
  await create({ name: 'second' });
  expect(await look(home, workflowId)).toBe('POLLED 2');
  expect(await look(home, workflowId)).toBe('POLLED 0');
  await create({ name: 'of the other source' });
  await deploy({ changes: ['created'] }, { isActive: false });
  await create({ name: 'while it was off' });
  await deploy({ changes: ['created'] });
  await create({ name: 'third' });
  expect(await look(home, workflowId)).toBe('POLLED 1');
  await poll(async () => (await changes(home, workflowId)).map(([, name]) => name), POLL).toEqual([
    'first',
    'second',
    'third',
  ]);
});

test('with all, the first look has the earlier changes; an import has one change for each row', async () => {
  const { home, post } = await deskAt();
  const rows = Array.from({ length: 25 }, (_, at) => ({ name: `O${at}`, total: at }));
  await post('/api/objects/import', { objectTypeSlug: 'order', rows });
  const workflowId = await follows(home, { changes: ['created'] }, 'all');
  expect(await look(home, workflowId)).toBe('POLLED 25');
  await poll(async () => (await changes(home, workflowId)).map(([, name]) => name).sort(), POLL).toEqual(
    rows.map(({ name }) => name).sort(),
  );
});
