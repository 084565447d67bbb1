import { expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { ORDER_TYPE, orderDesk } from '../setup/orderDesk.ts';
import { stackDatabase } from '../setup/workspace.ts';

const { attributeSchema } = ORDER_TYPE;
const customer = { type: 'string', 'x-objectType': 'customer' };

async function deskWithCustomer() {
  const desk = await orderDesk();
  const upsert = (body: object) => desk.post('/api/object-types/upsert', body);
  await upsert({ slug: 'customer' });
  const ann = (await desk.post('/api/objects', { objectTypeSlug: 'customer', name: 'Ann' })).body.id as string;
  return { ...desk, upsert, ann };
}

test('an entity whose reference was deleted does not keep its type from changing', async () => {
  const { create, call, upsert, ann } = await deskWithCustomer();
  const { id } = (await create({ name: 'A', attributes: { total: 1, customer: ann, note: 'Ann' } })).body;
  await call('DELETE', `/api/objects/${ann}`);
  const wider = { ...attributeSchema, properties: { ...attributeSchema.properties, more: { type: 'string' } } };
  expect(await upsert({ slug: 'order', attributeSchema: wider })).toMatchObject({ status: 200 });
  // Neither what was no reference before, nor one of another type, fits.
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

test('what announced rules make a reference leads somewhere in every write', async () => {
  const { create, call, post, workspaceId, ann } = await deskWithCustomer();
  const old = (await create({ name: 'Old', attributes: { total: 1, note: 'nobody' } })).body.id;
  const gone = (await create({ name: 'Gone', attributes: { total: 1, note: 'nobody' } })).body.id;
  await call('DELETE', `/api/objects/${gone}`);
  const next = { ...attributeSchema, properties: { ...attributeSchema.properties, note: customer } };
  const rules = JSON.stringify({ attributeSchema: next, stateSchema: ORDER_TYPE.stateSchema });
  // As an upsert does before it looks through the existing ones.
  await stackDatabase().$executeRaw`UPDATE object_types SET next_rules = ${rules}::json, next_id = ${v7()}::uuid,
    next_until = now() + interval '1 minute', version = version + 1
    WHERE workspace_id = ${workspaceId}::uuid AND slug = 'order'`;
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
