import { expect, test } from '@jest/globals';
import { attributeProblems, attributesOf, initialOf, REST, referencesOf, schemaFields } from './schemaFields.ts';

const schema = {
  type: 'object',
  required: ['total', 'paid'],
  properties: {
    total: { type: 'number', minimum: 0, title: 'Total', description: 'In euros' },
    paid: { type: 'boolean' },
    note: { type: ['string', 'null'], maxLength: 5_000 },
    due: { type: 'string', format: 'date' },
    seenAt: { type: 'string', format: 'date-time' },
    kind: { enum: ['new', 'used', null], default: 'new' },
    tags: { type: 'array', items: { enum: ['a', 'b'] } },
    lines: { type: 'array', items: { type: 'object' } },
    either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    customer: { type: 'string', 'x-objectType': 'customer' },
  },
};

test('common members of a schema have inputs of their own, the rest is JSON', () => {
  const fields = schemaFields(schema);
  expect(Object.fromEntries(fields.map(({ key, type }) => [key, type]))).toEqual({
    total: 'number',
    paid: 'boolean',
    note: 'longText',
    due: 'date',
    seenAt: 'text',
    kind: 'select',
    tags: 'multiSelect',
    lines: 'json',
    either: 'json',
    customer: 'text',
  });
  expect(fields[0]).toEqual({ key: 'total', label: 'Total', type: 'number', required: true, help: 'In euros' });
  expect(fields.find(({ key }) => key === 'kind')).toMatchObject({
    default: 'new',
    required: false,
    options: [{ value: '' }, { value: 'new' }, { value: 'used' }],
  });
  expect([...referencesOf(schema)]).toEqual([['customer', 'customer']]);
});

test('a state makes attributes required, named by the schema or not', () => {
  const fields = schemaFields(schema, { needed: ['note', 'other'] });
  expect(fields.filter(({ required }) => required).map(({ key }) => key)).toEqual(['total', 'paid', 'note', 'other']);
});

test('an attribute that was emptied is removed, and one that the form does not show stays', () => {
  const before = { total: 1, note: 'x', hidden: true };
  const fields = schemaFields(schema);
  expect(initialOf(fields, before)).toMatchObject({ total: 1, note: 'x' });
  expect(attributesOf(fields, { total: 2, paid: false }, before)).toEqual({ total: 2, paid: false, note: null });
});

test('attributes without a field are one object of JSON, where the type takes them', () => {
  const before = { total: 1, hidden: true, also: 2 };
  const fields = schemaFields(schema, { hasRest: true });
  expect(initialOf(fields, before)[REST]).toEqual({ hidden: true, also: 2 });
  const values = { total: 1, [REST]: { hidden: false } };
  expect(attributesOf(fields, values, before)).toEqual({ total: 1, hidden: false, also: null });
  expect(schemaFields(null, { hasRest: true }).map(({ key }) => key)).toEqual([REST]);
});

test('problems are shown at their attributes, whatever their names', () => {
  const errors = [
    { path: 'attributes.total', message: 'must be number' },
    { path: 'attributes["due date"][0]', message: 'is no date' },
    { path: 'name', message: 'is needed' },
  ];
  expect(attributeProblems(errors)).toEqual({ total: 'must be number', 'due date': 'is no date' });
});
