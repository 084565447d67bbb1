import { expect, test } from '@jest/globals';
import { orderDesk } from '../setup/workspace/orderDesk.ts';

test('cells are read, and a template made, by all parts of a schema', async () => {
  const { post, get } = await orderDesk();
  const optional = (type: string) => ({ anyOf: [{ type }, { type: 'null' }] });
  const thing = {
    type: 'object',
    required: ['name', 'size'],
    properties: {
      name: { type: 'string' },
      size: { type: 'integer' },
      weight: optional('number'),
      on: optional('boolean'),
    },
    additionalProperties: false,
  };
  const attributeSchema = { $ref: '#/$defs/thing', $defs: { thing } };
  const { id } = (await post('/api/object-types/upsert', { slug: 'thing', attributeSchema })).body;
  const { headers, sampleRow } = (await get(`/api/objects/import/template/${id}`)).body;
  expect(headers).toEqual(['name', 'attributes.name', 'size', 'weight', 'on']);
  const row = {
    name: 'A',
    'attributes.name': 'of the thing',
    size: '5',
    weight: '1.5',
    on: 'true',
    extensions: { a: 1 },
  };
  const answer = await post('/api/objects/import', { objectTypeId: id, rows: [sampleRow, row] });
  expect(answer.body).toMatchObject({ created: 2, errors: [] });
  const found = await get('/api/objects?objectTypeSlug=thing&search=A&sortBy=createdAt&expansion=attributes');
  expect(found.body.items.at(-1).attributes).toEqual({
    name: 'of the thing',
    size: 5,
    weight: 1.5,
    on: true,
    extensions: { a: 1 },
  });
});

test('an empty cell is nothing there, whatever the attribute takes', async () => {
  const { post, get, create } = await orderDesk();
  await create({ name: 'B', attributes: { total: 2, email: 'b@example.com', note: 'kept' } });
  const rows = ['A', 'B'].map((name) => ({
    name,
    total: '1',
    email: '',
    sku: '',
    tags: '',
    paid: '',
    note: '',
    customer: '',
  }));
  const sent = { objectTypeSlug: 'order', rows, updateExisting: true, matchField: 'name' };
  expect((await post('/api/objects/import', sent)).body).toMatchObject({ created: 1, updated: 1, errors: [] });
  const found = await get('/api/objects?sortBy=name&expansion=attributes');
  expect(found.body.items.map(({ attributes }: { attributes: object }) => attributes)).toEqual([
    { total: 1 },
    { total: 1, email: 'b@example.com', note: 'kept' },
  ]);
});
