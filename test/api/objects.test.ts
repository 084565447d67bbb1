import { expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { orderDesk } from '../setup/workspace/orderDesk.ts';
import { makeWorkspace } from '../setup/workspace/workspace.ts';
import { call } from './call.ts';

test('an entity is created with the initial state and read with the requested fields', async () => {
  const { create, get, typeId } = await orderDesk();
  const made = await create({
    name: 'Order 1',
    attributes: { total: 99.5, extensions: { anything: [1] }, note: null },
  });
  expect(made).toMatchObject({ status: 201, body: { name: 'Order 1', state: 'draft', objectTypeId: typeId } });
  expect(Object.keys(made.body).sort()).toEqual(['id', 'name', 'objectTypeId', 'state']);
  const all = 'expansion=attributes,objectType,owner,createdBy,createdAt,updatedAt,stateHistory';
  const read = await get(`/api/objects/${made.body.id}?${all}`);
  expect(read.body).toMatchObject({
    attributes: { total: 99.5, extensions: { anything: [1] } },
    objectType: { id: typeId, name: 'Order', slug: 'order' },
    owner: null,
    createdBy: null,
    stateHistory: [],
  });
  expect(Object.keys(read.body.attributes)).not.toContain('note');
  expect(await get(`/api/objects/${v7()}`)).toMatchObject({
    status: 404,
    body: { detail: 'The entity does not exist' },
  });
  expect((await get('/api/objects/nothing')).body.detail).toBe('The entity does not exist');
  expect((await get(`/api/objects/${made.body.id}?expansion=secrets`)).status).toBe(400);
});

test('an entity names its creator and its owner', async () => {
  const { key, email, password, url } = await orderDesk();
  const { access_token: token } = (await call('POST', '/api/auth/login', { body: { email, password } })).body;
  const me = (await call('GET', '/api/users/me', { token })).body;
  const made = await call('POST', '/api/objects?expansion=owner,createdBy', {
    token,
    body: { objectTypeSlug: 'order', name: 'Mine', attributes: { total: 1 }, ownerId: me.id },
  });
  const person = { id: me.id, name: me.name, email };
  expect(made.body).toMatchObject({ owner: person, createdBy: person });
  expect(url).toBeDefined();
  const stranger = await makeWorkspace();
  const login = await call('POST', '/api/auth/login', { body: { email: stranger.email, password: stranger.password } });
  const other = (await call('GET', '/api/users/me', { token: login.body.access_token })).body;
  const refused = await call('POST', '/api/objects', {
    key,
    body: { objectTypeSlug: 'order', name: 'Theirs', attributes: { total: 1 }, ownerId: other.id },
  });
  expect(refused.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'ownerId' }] });
});

test.each([
  ['no name', { attributes: { total: 1 } }, 'VALIDATION_FAILED', 'name'],
  ['a blank name', { name: ' ', attributes: { total: 1 } }, 'VALIDATION_FAILED', 'name'],
  ['no type', { objectTypeSlug: undefined, name: 'x' }, 'VALIDATION_FAILED', 'objectTypeId'],
  ['two types', { objectTypeId: v7(), name: 'x' }, 'VALIDATION_FAILED', 'objectTypeId'],
  ['an unknown member', { name: 'x', color: 'red' }, 'VALIDATION_FAILED', 'color'],
  ['attributes that are none', { name: 'x', attributes: [] }, 'VALIDATION_FAILED', 'attributes'],
  ['a missing attribute', { name: 'x' }, 'VALIDATION_FAILED', 'attributes.total'],
  ['a wrong attribute', { name: 'x', attributes: { total: '1' } }, 'VALIDATION_FAILED', 'attributes.total'],
  ['a wrong format', { name: 'x', attributes: { total: 1, email: 'ann' } }, 'VALIDATION_FAILED', 'attributes.email'],
  ['a wrong pattern', { name: 'x', attributes: { total: 1, sku: 'x' } }, 'VALIDATION_FAILED', 'attributes.sku'],
  ['equal items', { name: 'x', attributes: { total: 1, tags: ['a', 'a'] } }, 'VALIDATION_FAILED', 'attributes.tags'],
  ['an unknown attribute', { name: 'x', attributes: { total: 1, other: 1 } }, 'UNKNOWN_ATTRIBUTES', 'attributes.other'],
  ['an unknown state', { name: 'x', state: 'gone', attributes: { total: 1 } }, 'VALIDATION_FAILED', 'state'],
  [
    'a state without its fields',
    { name: 'x', state: 'approved', attributes: { total: 1 } },
    'MISSING_FIELDS',
    'attributes.approvedBy',
  ],
  ['no entity', { name: 'x', attributes: { total: 1, customer: 'ann' } }, 'VALIDATION_FAILED', 'attributes.customer'],
  ['an owner who is nobody', { name: 'x', attributes: { total: 1 }, ownerId: v7() }, 'VALIDATION_FAILED', 'ownerId'],
])('%s is refused with its place', async (_, body, code, path) => {
  const { post } = await orderDesk();
  const refused = await post('/api/objects', { objectTypeSlug: 'order', ...body });
  expect([refused.status, refused.body.code]).toEqual([400, code]);
  expect(refused.body.errors.map((error: { path: string }) => error.path)).toContain(path);
});

test('a type that does not exist is not found', async () => {
  const { post } = await orderDesk();
  for (const named of [{ objectTypeId: v7() }, { objectTypeSlug: 'nothing' }]) {
    expect(await post('/api/objects', { ...named, name: 'x' })).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND', detail: 'The entity type does not exist' },
    });
  }
});

test('a reference names a living entity of its type', async () => {
  const { create, post } = await orderDesk();
  await post('/api/object-types/upsert', { slug: 'customer', name: 'Customer' });
  const ann = (await post('/api/objects', { objectTypeSlug: 'customer', name: 'Ann' })).body;
  expect((await create({ name: 'a', attributes: { total: 1, customer: ann.id } })).status).toBe(201);
  const order = await create({ name: 'b', attributes: { total: 1 } });
  const refused = await create({ name: 'c', attributes: { total: 1, customer: order.body.id } });
  expect(refused.body.errors).toEqual([
    { path: 'attributes.customer', message: 'expected the id of an entity of the type "customer"' },
  ]);
});

test('unknown attributes are taken where the type allows them', async () => {
  const { post, get } = await orderDesk();
  await post('/api/object-types/upsert', { slug: 'free', allowUnknownAttributes: true });
  const made = await post('/api/objects', { objectTypeSlug: 'free', name: 'x', attributes: { any: { thing: 1 } } });
  const read = await get(`/api/objects/${made.body.id}?expansion=attributes`);
  expect([read.body.attributes, read.body.state]).toEqual([{ any: { thing: 1 } }, null]);
});

test('attributes have a largest size', async () => {
  const { post } = await orderDesk();
  await post('/api/object-types/upsert', { slug: 'free', allowUnknownAttributes: true });
  const refused = await post('/api/objects', {
    objectTypeSlug: 'free',
    name: 'x',
    attributes: { a: 'x'.repeat(262_144) },
  });
  expect(refused.body).toMatchObject({ code: 'VALIDATION_FAILED', errors: [{ path: 'attributes' }] });
});

test('the same request under the same key makes one', async () => {
  const { key } = await orderDesk();
  const body = { objectTypeSlug: 'order', name: 'x', attributes: { total: 1 } };
  const headers = { 'idempotency-key': 'once' };
  const first = await call('POST', '/api/objects', { key, body, headers });
  const second = await call('POST', '/api/objects', { key, body, headers });
  expect(second.body).toEqual(first.body);
  const type = await call('GET', '/api/object-types/slug/order?expansion=countObjects', { key });
  expect(type.body.countObjects).toBe(1);
});
