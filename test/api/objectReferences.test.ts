import { beforeAll, expect, test } from '@jest/globals';
import { v7 } from 'uuid';
import { orderDesk } from '../setup/workspace/orderDesk.ts';

const person = { type: 'string', 'x-objectType': 'person' };
const company = { type: 'string', 'x-objectType': 'company' };
const of = (kind: string, who: object) => ({ properties: { kind: { const: kind }, who } });

/** Schemas of attributes whose `who` is of one of two types. */
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
  // What exists fits the same rules in other words.
  const wider = { ...attributeSchema, title: 'Other' };
  expect((await post('/api/object-types/upsert', { slug, attributeSchema: wider })).status).toBe(200);
});
