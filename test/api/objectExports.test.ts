import { expect, test } from '@jest/globals';
import { orderDesk } from '../setup/workspace/orderDesk.ts';
import { call } from './call.ts';

test('rows are flat: the fixed fields and the requested fields', async () => {
  const { create, post } = await orderDesk();
  const made = await create(
    { name: 'A', attributes: { total: 1, tags: ['x'], note: 'n' } },
    '?expansion=createdAt,updatedAt',
  );
  const { id, createdAt, updatedAt } = made.body;
  const all = { id, name: 'A', state: 'draft', createdAt, updatedAt };
  const run = async (body: object) => {
    const answer = await post('/api/objects/export', { objectTypeSlug: 'order', ...body });
    expect(answer.status).toBe(201);
    return answer.body;
  };
  expect(await run({})).toEqual([all]);
  expect(await run({ format: 'csv', fields: ['total', 'email', 'tags', 'name'] })).toEqual([
    { ...all, total: 1, email: null, tags: ['x'] },
  ]);
  expect(await run({ states: ['approved'] })).toEqual([]);
  expect(await run({ states: ['approved', 'draft'], search: 'a' })).toHaveLength(1);
  expect(await run({ search: 'b' })).toEqual([]);
});

test('owners and related entities are named where that is asked for', async () => {
  const { create, post, email, password, call: ask } = await orderDesk();
  const { access_token: token } = (await call('POST', '/api/auth/login', { body: { email, password } })).body;
  const me = (await call('GET', '/api/users/me', { token })).body;
  await post('/api/object-types/upsert', { slug: 'customer' });
  const ann = (await post('/api/objects', { objectTypeSlug: 'customer', name: 'Ann' })).body.id;
  await create({ name: 'A', attributes: { total: 1, customer: ann }, ownerId: me.id });
  await create({ name: 'B', attributes: { total: 1 } });
  const rows = async (more: object) =>
    (await post('/api/objects/export', { objectTypeSlug: 'order', fields: ['customer'], ...more })).body;
  expect(await rows({ includeRelatedEntityNames: true })).toMatchObject([
    { name: 'A', customer: ann, customerName: 'Ann', ownerName: me.name },
    { name: 'B', customer: null, customerName: null, ownerName: null },
  ]);
  expect(Object.keys((await rows({}))[0])).not.toContain('ownerName');
  await ask('DELETE', `/api/objects/${ann}`);
  expect((await rows({ includeRelatedEntityNames: true }))[0].customerName).toBeNull();
});

test('references in definitions and in lists are named too', async () => {
  const { post } = await orderDesk();
  await post('/api/object-types/upsert', { slug: 'person' });
  const $defs = { person: { type: 'string', 'x-objectType': 'person' } };
  const person = { $ref: '#/$defs/person' };
  const properties = { lead: person, team: { type: 'array', items: person }, note: { type: 'string' } };
  await post('/api/object-types/upsert', { slug: 'job', attributeSchema: { $defs, properties } });
  const [ann, bea] = await Promise.all(
    ['Ann', 'Bea'].map(async (name) => (await post('/api/objects', { objectTypeSlug: 'person', name })).body.id),
  );
  await post('/api/objects', { objectTypeSlug: 'job', name: 'a', attributes: { lead: ann, team: [bea, ann] } });
  await post('/api/objects', { objectTypeSlug: 'job', name: 'b' });
  const fields = ['lead', 'team', 'note'];
  const { body } = await post('/api/objects/export', {
    objectTypeSlug: 'job',
    fields,
    includeRelatedEntityNames: true,
  });
  expect(body).toMatchObject([
    { name: 'a', lead: ann, leadName: 'Ann', team: [bea, ann], teamName: ['Bea', 'Ann'] },
    { name: 'b', lead: null, leadName: null, team: null, teamName: null },
  ]);
  expect(Object.keys(body[0])).not.toContain('noteName');
});

test.each([
  ['no type', {}, 400, 'VALIDATION_FAILED'],
  ['an unknown type', { objectTypeSlug: 'other' }, 404, 'NOT_FOUND'],
  ['an unknown field', { objectTypeSlug: 'order', fields: ['total', 'color'] }, 400, 'VALIDATION_FAILED'],
  ['an unknown member', { objectTypeSlug: 'order', columns: ['total'] }, 400, 'VALIDATION_FAILED'],
])('%s is refused', async (_, body, status, code) => {
  const { post } = await orderDesk();
  expect(await post('/api/objects/export', body)).toMatchObject({ status, body: { code } });
});

test('all of several batches comes, once each and in the order in which it was made', async () => {
  const { post } = await orderDesk();
  const rows = Array.from({ length: 2_345 }, (_, at) => ({ name: `O${at}`, total: at }));
  await post('/api/objects/import', { objectTypeSlug: 'order', rows });
  const { body } = await post('/api/objects/export', { objectTypeSlug: 'order', fields: ['total'] });
  expect(body.map(({ total }: { total: number }) => total)).toEqual(rows.map(({ total }) => total));
  const ids = body.map(({ id }: { id: string }) => id);
  expect(ids).toEqual([...ids].sort());
});

test('a caller that leaves ends the reading', async () => {
  const { post, url, key } = await orderDesk();
  await post('/api/object-types/upsert', { slug: 'large', allowUnknownAttributes: true });
  const text = 'x'.repeat(100_000);
  const made = Array.from({ length: 90 }, (_, at) =>
    post('/api/objects', { objectTypeSlug: 'large', name: `${at}`, attributes: { text } }),
  );
  await Promise.all(made);
  const controller = new AbortController();
  const response = await fetch(new URL('/api/objects/export', url), {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ objectTypeSlug: 'large', fields: ['text'] }),
    signal: controller.signal,
  });
  expect(response.status).toBe(201);
  await response.body?.getReader().read();
  controller.abort();
  const whole = await post('/api/objects/export', { objectTypeSlug: 'large', fields: ['text'] });
  expect(whole.body.map((row: { text: string }) => row.text.length)).toEqual(Array(90).fill(100_000));
});
