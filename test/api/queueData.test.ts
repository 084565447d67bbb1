import { expect, test } from '@jest/globals';
import type { Json } from '../../domain/json.ts';
import { action } from '../setup/workspace/graph.ts';
import { type Home, makeHome, stepOf } from '../setup/workspace/home.ts';

const SCHEMA = {
  type: 'object',
  properties: { order: { type: 'string' }, amount: { type: 'number', minimum: 0 } },
  required: ['order'],
};

async function queueOf(home: Home, dataSchema: unknown, projectId = home.projectId): Promise<string> {
  const answer = await home.api('POST', `/api/queues?projectId=${projectId}`, {
    body: { name: 'Refunds', dataSchema },
  });
  expect(answer.status).toBe(201);
  return answer.body.id;
}

const placesOf = ({ status, body }: { status: number; body: { errors?: { path: string }[] } }) =>
  status === 400 ? body.errors?.map(({ path }) => path) : status;

test('a queue keeps its dataSchema with the order of its members, changes and removes it', async () => {
  const home = await makeHome();
  const id = await queueOf(home, SCHEMA);
  const read = async () => (await home.api('GET', `/api/queues/${id}?expansion=dataSchema`)).body.dataSchema;
  expect(JSON.stringify(await read())).toBe(JSON.stringify(SCHEMA));
  const other = { required: ['x'], properties: { x: {} } };
  expect((await home.api('PATCH', `/api/queues/${id}`, { body: { dataSchema: other } })).status).toBe(200);
  expect(JSON.stringify(await read())).toBe(JSON.stringify(other));
  await home.api('PATCH', `/api/queues/${id}`, { body: { priority: 2 } });
  expect(await read()).toEqual(other);
  await home.api('PATCH', `/api/queues/${id}`, { body: { dataSchema: null } });
  expect(await read()).toBeNull();
});

test('a schema that is no schema is refused with its place', async () => {
  const home = await makeHome();
  const id = await queueOf(home, null);
  const wrong = { properties: { a: { type: 'texts' }, b: { $ref: '#/$defs/none' } } };
  for (const [dataSchema, place] of [
    [wrong, 'dataSchema.properties.a.type'],
    [{ pattern: '(?=a)' }, 'dataSchema.pattern'],
    [{ description: 'x'.repeat(70_000) }, 'dataSchema'],
  ]) {
    const made = await home.api('POST', `/api/queues?projectId=${home.projectId}`, { body: { name: 'Q', dataSchema } });
    expect(placesOf(made)).toEqual([place]);
    expect(placesOf(await home.api('PATCH', `/api/queues/${id}`, { body: { dataSchema } }))).toEqual([place]);
  }
});

test('items that do not fit are refused with their places: single, bulk, changed', async () => {
  const home = await makeHome();
  const id = await queueOf(home, SCHEMA);
  const path = `/api/queues/${id}/items`;
  expect(placesOf(await home.api('POST', path, { body: { data: { amount: -1 } } }))).toEqual([
    'data.order',
    'data.amount',
  ]);
  expect(placesOf(await home.api('POST', path, { body: { data: [] } }))).toEqual(['data']);
  const items = [{ data: { order: 'a' } }, { data: { order: 1 } }, { data: {} }];
  expect(placesOf(await home.api('POST', `${path}/bulk`, { body: { items } }))).toEqual([
    'items[1].data.order',
    'items[2].data.order',
  ]);
  expect((await home.api('GET', path)).body.items).toEqual([]);
  const made = await home.api('POST', path, { body: { data: { order: 'a', more: true } } });
  expect(made.status).toBe(201);
  const item = `${path}/${made.body.id}`;
  expect(placesOf(await home.api('PATCH', item, { body: { data: { order: 2 } } }))).toEqual(['data.order']);
  const update = { itemIds: [made.body.id], update: { data: {} } };
  expect(placesOf(await home.api('PATCH', `${path}/bulk`, { body: update }))).toEqual(['update.data.order']);
  expect((await home.api('PATCH', item, { body: { priority: 1 } })).status).toBe(200);
  // A later schema leaves stored items as they are.
  await home.api('PATCH', `/api/queues/${id}`, { body: { dataSchema: { required: ['other'] } } });
  expect((await home.api('GET', item)).body.data).toEqual({ order: 'a', more: true });
  expect(placesOf(await home.api('POST', path, { body: { data: { order: 'b' } } }))).toEqual(['data.other']);
});

test('a large schema is checked in a thread', async () => {
  const home = await makeHome();
  const properties = Object.fromEntries(
    Array.from({ length: 150 }, (_, index) => [`property${index}`, { type: 'string' }]),
  );
  const id = await queueOf(home, { ...SCHEMA, properties: { ...SCHEMA.properties, ...properties } });
  const items = [{ data: { order: 'a', property149: 1 } }, { data: { order: 'a', property149: 'x' } }];
  expect(placesOf(await home.api('POST', `/api/queues/${id}/items/bulk`, { body: { items } }))).toEqual([
    'items[0].data.property149',
  ]);
});

test('queue.add fails once with the place; the checker reports literal values before', async () => {
  const home = await makeHome();
  const queueId = await queueOf(home, SCHEMA);
  const add = (data: Json) => ({ nodes: [action('add', 'queue.add', { queueId, data })] });
  const execution = await home.run(add({ order: 'a', amount: '{{ trigger.amount }}' }), { amount: 'x' });
  expect(stepOf(execution, 'add')).toMatchObject({
    ...{ status: 'FAILED', attempt: 1 },
    error: { code: 'VALIDATION_FAILED', message: 'data.amount: must be number' },
  });
  expect((await home.run(add({ order: 'a', amount: '{{ trigger.amount }}' }), { amount: 2 })).status).toBe('COMPLETED');
  const upsert = (body: object) =>
    home.api('POST', `/api/projects/${home.projectId}/workflows/upsert`, { body: { slug: 'w', edges: [], ...body } });
  const refused = await upsert(add({ amount: 'x' }));
  expect(refused.body.errors).toMatchObject([
    { code: 'QUEUE_DATA', path: 'nodes[0].inputs.data.order' },
    { code: 'QUEUE_DATA', path: 'nodes[0].inputs.data.amount' },
  ]);
  expect((await upsert(add('{{ trigger }}'))).status).toBe(200);
});

test('a bundle stores the schema and checks its workflows with it', async () => {
  const home = await makeHome();
  const apply = (...resources: object[]) =>
    home.api('POST', `/api/projects/${home.projectId}/apply`, { body: { resources } });
  const queue = { kind: 'queue', slug: 'refunds', dataSchema: SCHEMA };
  const adds = (data: Json) => {
    const nodes = [action('add', 'queue.add', { queueId: '@queue/refunds', data })];
    return { kind: 'workflow', slug: 'w', nodes, edges: [] };
  };
  const place = 'nodes[0].inputs.data.order';
  expect(placesOf(await apply(queue, adds({})))).toEqual([`resources[1].${place}`]);
  expect((await apply(queue, adds({ order: 'a' }))).status).toBe(200);
  expect((await apply(queue, adds({ order: 'a' }))).body.plan).toMatchObject([
    { action: 'unchanged' },
    { action: 'unchanged' },
  ]);
  expect(placesOf(await apply(adds({ order: 1 })))).toEqual([`resources[0].${place}`]);
  const { body } = await home.api('GET', `/api/projects/${home.projectId}/export`);
  const [exported] = body.resources.filter(({ kind }: { kind: string }) => kind === 'queue');
  expect(JSON.stringify(exported.dataSchema)).toBe(JSON.stringify(SCHEMA));
  expect(placesOf(await apply({ ...queue, dataSchema: { type: 'texts' } }))).toEqual(['resources[0].dataSchema.type']);
  const changed = await apply({ ...queue, dataSchema: null }, adds({}));
  expect(changed.status).toBe(200);
  expect(changed.body.plan[0].changes).toMatchObject([{ path: 'dataSchema', to: null }]);
});
