import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { createObject } from '../../engine/objects/createObject.ts';
import { checksUpTo } from '../setup/database/objectChecks.ts';
import { ORDER_TYPE, orderDesk } from '../setup/workspace/orderDesk.ts';
import { stackDatabase } from '../setup/workspace/workspace.ts';

const { attributeSchema } = ORDER_TYPE;
const customer = { type: 'string', 'x-objectType': 'customer' };

async function deskWithCustomer() {
  const desk = await orderDesk();
  const upsert = (body: object) => desk.post('/api/object-types/upsert', body);
  await upsert({ slug: 'customer' });
  const ann = (await desk.post('/api/objects', { objectTypeSlug: 'customer', name: 'Ann' })).body.id as string;
  return { ...desk, upsert, ann };
}

/** Announces the change, like an upsert before it checks existing entities. */
async function announce(workspaceId: string, rules: object): Promise<void> {
  await stackDatabase().$executeRaw`UPDATE object_types SET next_rules = ${JSON.stringify(rules)}::json,
    next_id = ${v7()}::uuid, next_until = now() + interval '1 minute', version = version + 1
    WHERE workspace_id = ${workspaceId}::uuid AND slug = 'order'`;
}

test('an entity whose reference was deleted does not keep its type from changing', async () => {
  const { create, call, upsert, ann } = await deskWithCustomer();
  const { id } = (await create({ name: 'A', attributes: { total: 1, customer: ann, note: 'Ann' } })).body;
  await call('DELETE', `/api/objects/${ann}`);
  const wider = { ...attributeSchema, properties: { ...attributeSchema.properties, more: { type: 'string' } } };
  expect(await upsert({ slug: 'order', attributeSchema: wider })).toMatchObject({ status: 200 });
  // Neither a former non-reference nor a reference to another type fits.
  for (const [name, other] of [
    ['note', customer],
    ['customer', { ...customer, 'x-objectType': 'person' }],
  ] as const) {
    const stricter = { ...attributeSchema, properties: { ...attributeSchema.properties, [name]: other } };
    const refused = await upsert({ slug: 'order', attributeSchema: stricter });
    expect([refused.status, refused.body.errors.map(({ path }: { path: string }) => path)]).toEqual([
      409,
      [`objects["${id}"].attributes.${name}`],
    ]);
  }
});

test('a text that announced rules make a reference leads somewhere in every write', async () => {
  const { create, call, post, workspaceId, ann } = await deskWithCustomer();
  const old = (await create({ name: 'Old', attributes: { total: 1, note: 'nobody' } })).body.id;
  const gone = (await create({ name: 'Gone', attributes: { total: 1, note: 'nobody' } })).body.id;
  await call('DELETE', `/api/objects/${gone}`);
  const next = { ...attributeSchema, properties: { ...attributeSchema.properties, note: customer } };
  await announce(workspaceId, { attributeSchema: next, stateSchema: ORDER_TYPE.stateSchema });
  const attributes = { total: 1, note: v7() };
  for (const refused of [
    await create({ name: 'New', attributes }),
    await call('PATCH', `/api/objects/${old}`, { body: { attributes } }),
    await post(`/api/objects/${gone}/restore`, undefined),
  ]) {
    expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(refused.body.detail).toContain('attributes.note');
  }
  expect((await create({ name: 'New', attributes: { total: 1, note: ann } })).status).toBe(201);
  const rows = [
    { name: 'lost', total: 1, note: v7() },
    { name: 'found', total: 1, note: ann },
  ];
  const imported = await post('/api/objects/import', { objectTypeSlug: 'order', rows });
  expect(imported.body).toMatchObject({ created: 1, failed: 1, errors: [{ row: 1, field: 'note' }] });
});

test('no import leaves an entity in a state that is being removed', async () => {
  const { post, workspaceId, get } = await deskWithCustomer();
  const stateSchema = { initial: 'open', states: [{ id: 'open' }, { id: 'approved' }] };
  await announce(workspaceId, { attributeSchema, stateSchema });
  const rows = [
    { name: 'by default', total: 1 },
    { name: 'elsewhere', total: 1, state: 'approved', approvedBy: 'Ann' },
  ];
  const imported = await post('/api/objects/import', { objectTypeSlug: 'order', rows });
  expect(imported.body).toMatchObject({ created: 1, failed: 1, errors: [{ row: 1, field: 'state' }] });
  expect((await get('/api/objects?states=draft')).body.pagination.total).toBe(0);
});

test('an entity that a first try made is not refused to the second, whatever has changed since', async () => {
  const { workspaceId, get, call, upsert, ann } = await deskWithCustomer();
  const object = {
    id: v7(),
    type: { slug: 'order' },
    name: 'A',
    attributes: { total: 1, customer: ann },
    by: { type: 'apiKey', id: randomUUID() } as const,
  };
  const again = () => createObject(stackDatabase(), workspaceId, object, checksUpTo(262_144));
  await again();
  await call('DELETE', `/api/objects/${ann}`);
  await again();
  await upsert({ slug: 'order', isEnabled: false });
  await again();
  expect((await get('/api/objects?objectTypeSlug=order')).body.items).toMatchObject([{ id: object.id, name: 'A' }]);
  const other = createObject(stackDatabase(), workspaceId, { ...object, id: v7() }, checksUpTo(262_144));
  await expect(other).rejects.toThrow('is disabled');
});

test('upserts of different members at once do not undo each other', async () => {
  const { upsert, get } = await deskWithCustomer();
  for (let round = 0; round < 10; round++) {
    const changes = [
      { name: `Name ${round}` },
      { description: `Description ${round}` },
      { isEnabled: round % 2 === 0 },
      { allowUnknownAttributes: round % 2 === 0 },
      { attributeSchema: { ...attributeSchema, title: `Schema ${round}` } },
    ];
    const answers = await Promise.all(changes.map((each) => upsert({ slug: 'order', ...each })));
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200));
    const fields = changes.flatMap((each) => Object.keys(each)).join();
    const { body } = await get(`/api/object-types/slug/order?expansion=${fields}`);
    expect(body).toMatchObject(Object.assign({}, ...changes));
  }
});
