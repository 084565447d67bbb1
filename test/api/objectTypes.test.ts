import { expect, test } from '@jest/globals';
import { makeWorkspace } from '../setup/workspace/workspace.ts';
import { call } from './call.ts';

const STATES = {
  initial: 'draft',
  states: [
    { id: 'draft', name: 'Draft' },
    { id: 'done', requiredFields: ['total'] },
  ],
  transitions: [{ from: 'draft', to: 'done' }],
};

async function caller() {
  const { apiKey: key } = await makeWorkspace();
  return {
    upsert: (body: unknown, query = '') => call('POST', `/api/object-types/upsert${query}`, { key, body }),
    create: (body: object) => call('POST', '/api/objects', { key, body }),
    get: (path: string) => call('GET', path, { key }),
    key,
  };
}

test('a type is made, read by id and by slug, and changed', async () => {
  const { upsert, get } = await caller();
  const attributeSchema = { type: 'object', properties: { z: { type: 'string' }, a: { type: 'number' } } };
  const made = await upsert({ slug: 'order', name: 'Order', attributeSchema });
  expect(made).toMatchObject({ status: 200, body: { name: 'Order', slug: 'order', created: true } });
  const { id } = made.body;
  const all =
    'expansion=description,attributeSchema,stateSchema,createdAt,updatedAt,createdBy,countObjects,allowUnknownAttributes,managedByCode,isEnabled';
  const read = await get(`/api/object-types/${id}?${all}`);
  expect(read).toMatchObject({
    status: 200,
    body: {
      id,
      description: null,
      attributeSchema,
      stateSchema: null,
      createdBy: null,
      countObjects: 0,
      allowUnknownAttributes: false,
      managedByCode: true,
      isEnabled: true,
    },
  });
  expect(Object.keys(read.body.attributeSchema.properties)).toEqual(['z', 'a']);
  expect((await get(`/api/object-types/slug/order?${all}`)).body).toEqual(read.body);
  expect((await get('/api/object-types/slug/other')).status).toBe(404);
  expect((await get('/api/object-types/nothing')).body.detail).toBe('The entity type does not exist');
  const changed = await upsert({ slug: 'order', description: 'What was bought' }, `?${all}`);
  expect(changed.body).toMatchObject({
    id,
    created: false,
    name: 'Order',
    description: 'What was bought',
    attributeSchema,
  });
});

test('an equal type changes nothing, and an equal request is answered again', async () => {
  const { upsert, get, key } = await caller();
  const body = { slug: 'order', stateSchema: STATES, attributeSchema: { properties: { total: { type: 'number' } } } };
  const made = await upsert(body, '?expansion=updatedAt');
  const again = await upsert(body, '?expansion=updatedAt');
  expect(again.body).toEqual({ ...made.body, created: false });
  const headers = { 'idempotency-key': 'k' };
  const keyed = await call('POST', '/api/object-types/upsert', { key, body: { slug: 'keyed' }, headers });
  const replayed = await call('POST', '/api/object-types/upsert', { key, body: { slug: 'keyed' }, headers });
  expect([keyed.body, replayed.headers.get('idempotency-replayed')]).toEqual([replayed.body, 'true']);
  expect((await get('/api/object-types')).body).toHaveLength(2);
});

test('lists go by name, without disabled ones', async () => {
  const { upsert, get, create } = await caller();
  for (const [slug, name] of [
    ['c', 'Bear'],
    ['a', 'Cat'],
    ['b', 'Ant'],
  ]) {
    await upsert({ slug, name });
  }
  await upsert({ slug: 'off', name: 'Aardvark', isEnabled: false });
  const names = (answer: { body: { name: string }[] }) => answer.body.map(({ name }) => name);
  expect(names(await get('/api/object-types'))).toEqual(['Ant', 'Bear', 'Cat']);
  expect(names(await get('/api/object-types?includeDisabled=true'))).toEqual(['Aardvark', 'Ant', 'Bear', 'Cat']);
  const first = await get('/api/object-types?limit=2');
  const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
  expect(names(await get(new URL(next).pathname + new URL(next).search))).toEqual(['Cat']);
  expect(await create({ objectTypeSlug: 'off', name: 'x' })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
});

test.each([
  ['no slug', {}, 'slug'],
  ['a slug of another form', { slug: 'a b' }, 'slug'],
  [
    'a schema that is none',
    { slug: 'a', attributeSchema: { properties: { a: { type: 'txt' } } } },
    'properties.a.type',
  ],
  ['a schema of a list', { slug: 'a', attributeSchema: { type: 'array' } }, 'attributeSchema.type'],
  [
    'a reference to elsewhere',
    { slug: 'a', attributeSchema: { properties: { a: { $ref: 'https://example.com/x.json' } } } },
    'properties.a.$ref',
  ],
  [
    'a schema in which two are called alike, where no schema is',
    {
      slug: 'a',
      attributeSchema: { properties: { a: { 'x-ui': { $id: 'u' } }, b: { 'x-ui': { $id: 'u', title: 'b' } } } },
    },
    'attributeSchema',
  ],
  ['a schema that answers later', { slug: 'a', attributeSchema: { $async: true } }, 'attributeSchema.$async'],
  ['a reference to nothing', { slug: 'a', attributeSchema: { $ref: '#/$defs/a' } }, '$ref'],
  ['a schema without an end', { slug: 'a', attributeSchema: { properties: { a: { $ref: '#' } } } }, 'attributeSchema'],
  [
    'an unknown format',
    { slug: 'a', attributeSchema: { properties: { a: { format: 'colour' } } } },
    'properties.a.format',
  ],
  [
    'a pattern that looks around',
    { slug: 'a', attributeSchema: { properties: { a: { pattern: '(?=x)' } } } },
    'a.pattern',
  ],
  [
    'a reference that is no text',
    { slug: 'a', attributeSchema: { properties: { a: { type: 'number', 'x-objectType': 'b' } } } },
    'properties.a.x-objectType',
  ],
  ['no states', { slug: 'a', stateSchema: { initial: 'a', states: [] } }, 'stateSchema.states'],
  [
    'an initial state that is none',
    { slug: 'a', stateSchema: { initial: 'b', states: [{ id: 'a' }] } },
    'stateSchema.initial',
  ],
  [
    'a state twice',
    { slug: 'a', stateSchema: { initial: 'a', states: [{ id: 'a' }, { id: 'a' }] } },
    'stateSchema.states[1].id',
  ],
  [
    'a transition to nowhere',
    { slug: 'a', stateSchema: { initial: 'a', states: [{ id: 'a' }], transitions: [{ from: '*', to: 'b' }] } },
    'stateSchema.transitions[0].to',
  ],
  [
    'a required field that no entity can have',
    { slug: 'a', stateSchema: { initial: 'a', states: [{ id: 'a', requiredFields: ['x'] }] } },
    'stateSchema.states[0].requiredFields[0]',
  ],
])('%s is refused with its place, and nothing is stored', async (_, body, place) => {
  const { upsert, get } = await caller();
  const refused = await upsert(body);
  expect([refused.status, refused.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  expect(refused.body.errors.some(({ path }: { path: string }) => path.endsWith(place))).toBe(true);
  expect((await get('/api/object-types?includeDisabled=true')).body).toEqual([]);
});

test('schemas have a largest size, depth and number', async () => {
  const { upsert } = await caller();
  const long = await upsert({ slug: 'a', attributeSchema: { description: 'x'.repeat(70_000) } });
  expect(long.body.detail).toContain('at most 65536');
  let deep: object = { type: 'string' };
  for (let level = 0; level < 40; level++) deep = { properties: { a: deep } };
  expect((await upsert({ slug: 'a', attributeSchema: deep })).body.detail).toContain(
    'at most 32 levels of nested schemas',
  );
  // Each schema refers to the next twice: a million schemas in a few lines.
  const $defs = Object.fromEntries(
    Array.from({ length: 20 }, (_, at) => [
      `d${at}`,
      at === 19 ? { type: 'string' } : { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
    ]),
  );
  const wide = await upsert({ slug: 'a', attributeSchema: { $defs, properties: { a: { $ref: '#/$defs/d0' } } } });
  expect(wide.body.detail).toContain('at most 5000 schemas');
});

test('rules change only where everything that exists fits them', async () => {
  const { upsert, create, get } = await caller();
  await upsert({ slug: 'order', stateSchema: STATES, attributeSchema: { properties: { total: {}, note: {} } } });
  const one = (await create({ objectTypeSlug: 'order', name: '1', attributes: { total: 'much', note: 'x' } })).body;
  await create({ objectTypeSlug: 'order', name: '2', attributes: { total: 5 } });
  const strict = { slug: 'order', attributeSchema: { properties: { total: { type: 'number' } } } };
  for (const dryRun of [true, false]) {
    const refused = await upsert({ ...strict, dryRun });
    expect(refused).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(refused.body.detail).toContain('One entity');
    expect(refused.body.errors.map(({ path }: { path: string }) => path)).toEqual([
      `objects["${one.id}"].attributes.total`,
      `objects["${one.id}"].attributes.note`,
    ]);
  }
  const kept = await get('/api/object-types/slug/order?expansion=attributeSchema');
  expect(kept.body.attributeSchema).toEqual({ properties: { total: {}, note: {} } });
  const gone = await upsert({ slug: 'order', stateSchema: { initial: 'open', states: [{ id: 'open' }] } });
  expect(gone.body.errors).toEqual([{ path: 'stateSchema.states', message: '"draft" is in use by 2 entities' }]);
  expect((await upsert({ slug: 'order', stateSchema: null })).status).toBe(409);
  const required = { ...STATES, states: [{ id: 'draft', requiredFields: ['note'] }, { id: 'done' }] };
  expect((await upsert({ slug: 'order', stateSchema: required })).body.errors).toHaveLength(1);
  // After all these rejections, entities can still be written.
  expect((await create({ objectTypeSlug: 'order', name: '3', attributes: { total: 'x' } })).status).toBe(201);
  const fits = await upsert({
    slug: 'order',
    attributeSchema: { properties: { total: {}, note: { type: 'string' } } },
  });
  expect(fits.status).toBe(200);
});

test('a dry run writes nothing', async () => {
  const { upsert, get } = await caller();
  const fresh = await upsert({ slug: 'order', dryRun: true });
  expect(fresh).toMatchObject({ status: 200, body: { id: null, slug: 'order', created: true, dryRun: true } });
  expect((await get('/api/object-types')).body).toEqual([]);
  await upsert({ slug: 'order', name: 'Order' });
  const changed = await upsert({ slug: 'order', name: 'Other', allowUnknownAttributes: true, dryRun: true });
  expect(changed.body).toMatchObject({ created: false, dryRun: true, name: 'Order' });
  expect((await get('/api/object-types/slug/order?expansion=allowUnknownAttributes')).body).toMatchObject({
    name: 'Order',
    allowUnknownAttributes: false,
  });
});

test('one of many simultaneous upserts of a slug creates it, and all are answered', async () => {
  const { upsert, get } = await caller();
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      upsert({ slug: 'order', attributeSchema: { properties: { [`a${at % 3}`]: { type: 'string' } } } }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  expect(answers.filter(({ body }) => body.created)).toHaveLength(1);
  expect((await get('/api/object-types')).body).toHaveLength(1);
});

test('while rules change, every write fits both versions', async () => {
  const { upsert, create, get } = await caller();
  await upsert({ slug: 'order', allowUnknownAttributes: true });
  const strict = { slug: 'order', attributeSchema: { properties: { total: { type: 'number' } } } };
  const [changed, ...made] = await Promise.all([
    upsert(strict),
    ...Array.from({ length: 20 }, () => create({ objectTypeSlug: 'order', name: 'x', attributes: { total: 'text' } })),
  ]);
  const stored = (await get('/api/object-types/slug/order?expansion=attributeSchema,countObjects')).body;
  const accepted = made.filter(({ status }) => status === 201).length;
  expect(stored.countObjects).toBe(accepted);
  // Either the type has changed and no text was accepted, or it has not changed.
  if (changed.status === 200) expect(accepted).toBe(0);
  else expect([changed.status, stored.attributeSchema]).toEqual([409, null]);
  for (const { status } of made) expect([201, 400, 409]).toContain(status);
});
