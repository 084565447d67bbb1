import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { makeApiKey } from '../../api/access/apiKey.ts';
import { readOpenApi, routesOf } from '../../api/openapi.ts';
import type { Permission } from '../../domain/access/permission.ts';
import { insertApiKey } from '../../prisma/store/apiKey/writeApiKey.ts';
import { api } from '../setup/api/client.ts';
import { exampleBody } from '../setup/api/exampleBody.ts';
import { orderDesk } from '../setup/workspace/orderDesk.ts';
import { makeWorkspace, stackDatabase } from '../setup/workspace/workspace.ts';

const document = readOpenApi();
const routes = routesOf(document).filter(({ path }) => /^\/api\/object(s|-types)(\/|$)/.test(path));
/** Excludes queue items of an entity, which belong to the queues' tests. */
const own = routes.filter(({ path }) => !path.endsWith('/queue-items'));

async function withPermissions(...permissions: Permission[]) {
  const { workspaceId, url } = await makeWorkspace();
  const { key, hash, prefix } = makeApiKey();
  await insertApiKey(stackDatabase(), workspaceId, { id: v7(), name: 'k', hash, prefix, permissions, expiresAt: null });
  return api(url, key);
}

const reader = await withPermissions('objects:read');
const writer = await withPermissions('objects:write');

test('there are fifteen operations, restore, and the deletion of a type', () => {
  const patchAsPut = own.filter(({ method }) => method === 'put');
  expect(own.length - patchAsPut.length).toBe(17);
});

test.each(own)('$method $path: with its permission, and with no other', async ({ method, path, permissions }) => {
  const body = exampleBody(document.paths[path]?.[method]);
  const ask = async (call: typeof reader) => {
    const answer = await call(
      method.toUpperCase(),
      path.replaceAll(/\{\w+\}/g, () => randomUUID()),
      body === undefined ? {} : { body },
    );
    return answer.status === 403;
  };
  expect([await ask(reader), await ask(writer)]).toEqual([
    !permissions?.includes('objects:read'),
    !permissions?.includes('objects:write'),
  ]);
  expect(permissions).toHaveLength(1);
});

describe('updates', () => {
  const ALL = '?expansion=attributes,updatedAt,createdAt,owner';

  async function order(attributes: object = {}) {
    const desk = await orderDesk();
    const made = await desk.create({ name: 'Order', attributes: { total: 1, ...attributes } }, ALL);
    const path = `/api/objects/${made.body.id}`;
    const change = (body: unknown, method = 'PATCH') => desk.call(method, `${path}${ALL}`, { body });
    return { ...desk, made: made.body, path, change };
  }

  test.each(['PATCH', 'PUT'])('%s merges attributes, null removes one, and the rest stays', async (method) => {
    const { change, made } = await order({ note: 'x', tags: ['a', 'b'], extensions: { a: 1, b: 2 } });
    const first = await change({ attributes: { note: null, total: 2, extensions: { c: 3 } } }, method);
    expect(first).toMatchObject({ status: 200, body: { name: 'Order', createdAt: made.createdAt } });
    expect(first.body.attributes).toEqual({ total: 2, tags: ['a', 'b'], extensions: { c: 3 } });
    expect(first.body.updatedAt > made.updatedAt).toBe(true);
    const second = await change({ name: 'Renamed' }, method);
    expect(second.body).toMatchObject({ name: 'Renamed', attributes: first.body.attributes });
    for (const same of [{}, { name: 'Renamed', attributes: { total: 2, note: null } }]) {
      expect((await change(same, method)).body).toEqual(second.body);
    }
  });

  test.each([
    ['a state', { state: 'approved' }, 'VALIDATION_FAILED', 'state'],
    ['a type', { objectTypeId: v7() }, 'VALIDATION_FAILED', 'objectTypeId'],
    ['a type by its slug', { objectTypeSlug: 'order' }, 'VALIDATION_FAILED', 'objectTypeSlug'],
    ['a blank name', { name: '' }, 'VALIDATION_FAILED', 'name'],
    ['a wrong attribute', { attributes: { total: 'x' } }, 'VALIDATION_FAILED', 'attributes.total'],
    ['a required attribute removed', { attributes: { total: null } }, 'VALIDATION_FAILED', 'attributes.total'],
    ['an unknown attribute', { attributes: { other: 1 } }, 'UNKNOWN_ATTRIBUTES', 'attributes.other'],
    ['a reference to nothing', { attributes: { customer: v7() } }, 'VALIDATION_FAILED', 'attributes.customer'],
    ['an owner who is nobody', { ownerId: v7() }, 'VALIDATION_FAILED', 'ownerId'],
  ])('%s is refused, and nothing changes', async (_, body, code, place) => {
    const { change, get, path, made } = await order();
    const refused = await change(body);
    expect([refused.status, refused.body.code]).toEqual([400, code]);
    expect(refused.body.errors.map((error: { path: string }) => error.path)).toContain(place);
    expect((await get(path + ALL)).body).toEqual(made);
  });

  test('attributes that the state requires cannot be removed', async () => {
    const { change, post, path } = await order({ approvedBy: 'Ann' });
    expect((await post(`${path}/state`, { state: 'approved' })).status).toBe(201);
    expect((await change({ attributes: { approvedBy: null } })).body.code).toBe('MISSING_FIELDS');
    expect((await change({ attributes: { approvedBy: ' ' } })).body.code).toBe('MISSING_FIELDS');
    expect((await change({ attributes: { approvedBy: 'Bea' } })).status).toBe(200);
  });

  test('a reference that has gone since does not keep others from changing', async () => {
    const { change, post, call } = await order();
    await post('/api/object-types/upsert', { slug: 'customer' });
    const ann = (await post('/api/objects', { objectTypeSlug: 'customer', name: 'Ann' })).body;
    expect((await change({ attributes: { customer: ann.id } })).status).toBe(200);
    expect((await call('DELETE', `/api/objects/${ann.id}`)).body).toBe(true);
    expect((await change({ attributes: { total: 5 } })).status).toBe(200);
    expect((await change({ attributes: { customer: ann.id } })).body.errors[0].path).toBe('attributes.customer');
  });

  test('of twenty concurrent changes of different attributes none is lost', async () => {
    const { post, call, get } = await orderDesk();
    await post('/api/object-types/upsert', { slug: 'free', allowUnknownAttributes: true });
    const { id } = (await post('/api/objects', { objectTypeSlug: 'free', name: 'x' })).body;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        call('PATCH', `/api/objects/${id}`, { body: { attributes: { [`a${at}`]: at } } }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    const { attributes } = (await get(`/api/objects/${id}?expansion=attributes`)).body;
    expect(attributes).toEqual(Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`a${at}`, at])));
  });

  test('a deleted entity is not shown, and restored it is as it was', async () => {
    const { call, get, post, path, made, change } = await order();
    expect(await call('DELETE', path)).toMatchObject({ status: 200, body: true });
    expect((await get(path)).status).toBe(404);
    expect((await call('DELETE', path)).status).toBe(404);
    expect((await change({ name: 'x' })).status).toBe(404);
    expect((await post(`${path}/state`, { state: 'cancelled', reason: 'x' })).status).toBe(404);
    expect((await get(`${path}/state/history`)).status).toBe(404);
    expect((await get(`${path}/state/transitions`)).status).toBe(404);
    expect((await get('/api/objects')).body.pagination.total).toBe(0);
    const restored = await post(`${path}/restore${ALL}`, undefined);
    expect(restored).toMatchObject({ status: 200, body: { ...made, updatedAt: expect.any(String) } });
    expect((await get(path + ALL)).body).toEqual(restored.body);
    expect((await post(`${path}/restore${ALL}`, undefined)).body).toEqual(restored.body);
    expect((await post(`/api/objects/${v7()}/restore`, undefined)).status).toBe(404);
  });

  test('deleted entities are listed and read where they are asked for, the last deleted first', async () => {
    const { call, get, post, path, made } = await order();
    const other = (await post('/api/objects', { objectTypeSlug: 'order', name: 'Other', attributes: { total: 1 } }))
      .body;
    await post('/api/objects', { objectTypeSlug: 'order', name: 'Living', attributes: { total: 1 } });
    for (const id of [made.id, other.id]) await call('DELETE', `/api/objects/${id}`);
    const deleted = await get('/api/objects?includeType=deleted&expansion=deletedAt&objectTypeSlug=order');
    expect(deleted.body.pagination.total).toBe(2);
    expect(deleted.body.items).toMatchObject([
      { id: other.id, deletedAt: expect.any(String) },
      { id: made.id, deletedAt: expect.any(String) },
    ]);
    expect((await get('/api/objects?includeType=deleted&search=oth')).body.pagination.total).toBe(1);
    expect((await get(`${path}?includeType=deleted&expansion=deletedAt`)).body).toMatchObject({ id: made.id });
    expect((await get(path)).status).toBe(404);
    expect((await get('/api/objects?expansion=deletedAt')).body.items).toMatchObject([
      { name: 'Living', deletedAt: null },
    ]);
    expect((await get('/api/objects?includeType=all')).body.errors[0].message).toMatch(/not one of deleted/);
    await post(`${path}/restore`, undefined);
    expect((await get('/api/objects?includeType=deleted')).body.pagination.total).toBe(1);
  });

  test('an entity is not restored while another one has its match field', async () => {
    const { call, post, get } = await orderDesk();
    await post('/api/object-types/upsert', { slug: 'key', attributeSchema: { properties: { kind: {} } } });
    const { id } = (await post('/api/objects', { objectTypeSlug: 'key', name: 'x', attributes: { kind: 'k1' } })).body;
    await call('DELETE', `/api/objects/${id}`);
    const imported = () =>
      post('/api/objects/import', {
        ...{ objectTypeSlug: 'key', columnMappings: { Name: 'name', Kind: 'kind' }, rows: [{ Name: 'x', Kind: 'k1' }] },
        ...{ updateExisting: true, matchField: 'kind' },
      });
    expect((await imported()).body).toMatchObject({ created: 1 });
    const successor = (await get('/api/objects?attributes.kind=k1')).body.items[0].id;
    const restore = (field: string) => post(`/api/objects/${id}/restore?matchField=${field}`, undefined);
    for (const field of ['kind', 'attributes.kind', 'name']) {
      expect(await restore(field)).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT', errors: [{ path: 'matchField', message: expect.stringContaining(successor) }] },
      });
    }
    expect((await restore('nothing')).body.errors[0]).toMatchObject({ path: 'matchField' });
    expect((await imported()).body).toMatchObject({ updated: 1, failed: 0 });
    await call('DELETE', `/api/objects/${successor}`);
    expect((await restore('kind')).status).toBe(200);
    // The restored entity itself has the value, so restoring it again succeeds.
    expect((await restore('kind')).status).toBe(200);
    expect((await imported()).body).toMatchObject({ updated: 1, failed: 0 });
  });

  test('an entity that no longer fits its type is not restored', async () => {
    const { call, post, path } = await order({ note: 'x' });
    await call('DELETE', path);
    const changed = await post('/api/object-types/upsert', {
      slug: 'order',
      attributeSchema: { properties: { total: { type: 'string' } } },
      stateSchema: { initial: 'open', states: [{ id: 'open' }] },
    });
    expect(changed.status).toBe(200);
    const refused = await post(`${path}/restore`, undefined);
    expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT', errors: [{ path: 'state' }] } });
  });
});

describe('references', () => {
  const person = { type: 'string', 'x-objectType': 'person' };
  const company = { type: 'string', 'x-objectType': 'company' };
  const of = (kind: string, who: object) => ({ properties: { kind: { const: kind }, who } });

  const SCHEMAS = {
    anyOf: { properties: { kind: {}, who: { anyOf: [person, company] } } },
    oneOf: {
      properties: { kind: {}, who: { oneOf: [person, { $ref: '#/$defs/company' }, { type: 'null' }] } },
      $defs: { company },
    },
    kinds: { oneOf: [of('person', person), of('company', company)] },
    condition: {
      properties: { kind: {}, who: { type: 'string' } },
      if: of('person', {}),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: of('person', person),
      else: of('company', company),
    },
  };

  let desk: Awaited<ReturnType<typeof orderDesk>>;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    desk = await orderDesk();
    for (const slug of ['person', 'company', 'other']) {
      await desk.post('/api/object-types/upsert', { slug });
      ids[slug] = (await desk.post('/api/objects', { objectTypeSlug: slug, name: slug })).body.id;
    }
  });

  test.each(Object.entries(SCHEMAS))('by %s a reference is of one of several types', async (slug, attributeSchema) => {
    const { post, call } = desk;
    expect((await post('/api/object-types/upsert', { slug, attributeSchema })).status).toBe(200);
    const create = (kind: string, who: unknown) =>
      post('/api/objects', { objectTypeSlug: slug, name: kind, attributes: { kind, who } });
    for (const kind of ['person', 'company']) {
      const made = await create(kind, ids[kind]);
      expect(made.status).toBe(201);
      const change = (who: unknown) => call('PATCH', `/api/objects/${made.body.id}`, { body: { attributes: { who } } });
      expect((await change(ids[kind]?.toUpperCase())).status).toBe(200);
      for (const who of [ids.other, v7(), 'nobody']) {
        for (const refused of [await create(kind, who), await change(who)]) {
          expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'attributes.who']);
        }
      }
    }
    const rows = ['person', 'company', 'other'].map((kind) => ({
      name: kind,
      kind: kind === 'other' ? 'person' : kind,
      who: ids[kind],
    }));
    const imported = await post('/api/objects/import', { objectTypeSlug: slug, rows });
    expect(imported.body).toMatchObject({ created: 2, failed: 1 });
    for (const error of imported.body.errors) expect(error).toMatchObject({ row: 3, field: 'who' });
    // The existing entities satisfy equivalent rules.
    const wider = { ...attributeSchema, title: 'Other' };
    expect((await post('/api/object-types/upsert', { slug, attributeSchema: wider })).status).toBe(200);
  });
});
