import { expect, test } from '@jest/globals';
import type { JsonObject } from '../json.ts';
import { attributeSchemaProblems } from './attributeSchema.ts';
import { compileRules } from './compiledRules.ts';
import { DEFAULT_SCHEMA_LIMITS } from './rules.ts';

function checked(attributeSchema: JsonObject | null, attributes: JsonObject, allowUnknownAttributes = false) {
  if (attributeSchema) expect(attributeSchemaProblems(attributeSchema, DEFAULT_SCHEMA_LIMITS)).toEqual([]);
  const { errors, unknown, references } = compileRules({
    attributeSchema,
    stateSchema: null,
    allowUnknownAttributes,
  }).check(attributes);
  return { errors: errors.map(({ path, message }) => `${path} ${message}`), unknown, references };
}

test('without a schema nothing is known but extensions', () => {
  expect(checked(null, { a: 1, extensions: 2 }).unknown).toEqual(['a']);
  expect(checked(null, { a: 1 }, true).unknown).toEqual([]);
});

test('the flag of the type decides on unknown attributes, not the schema', () => {
  const closed = { properties: { a: {} }, additionalProperties: false };
  expect(checked(closed, { a: 1, extensions: {} })).toMatchObject({ errors: [], unknown: [] });
  expect(checked(closed, { b: 1 })).toMatchObject({ errors: [], unknown: ['b'] });
  expect(checked(closed, { b: 1 }, true)).toMatchObject({ errors: [], unknown: [] });
  const typed = { additionalProperties: { type: 'number' } };
  expect(checked(typed, { b: 'x' }, true).errors).toEqual(['attributes.b must be number']);
});

test.each<[string, JsonObject]>([
  [
    'another schema',
    { $ref: '#/$defs/thing', $defs: { thing: { properties: { a: {} }, additionalProperties: false } } },
  ],
  ['a part', { allOf: [{ properties: { a: {} }, additionalProperties: false }] }],
  ['a part that looks at all others', { allOf: [{ properties: { a: {} }, unevaluatedProperties: false }] }],
])('also if the schema is closed in %s', (_, closed) => {
  expect(checked(closed, { a: 1, extensions: { any: [1] } })).toMatchObject({ errors: [], unknown: [] });
  expect(checked(closed, { a: 1, b: 1 })).toMatchObject({ errors: [], unknown: ['b'] });
  expect(checked(closed, { a: 1, b: 1 }, true)).toMatchObject({ errors: [], unknown: [] });
});

test.each<JsonObject>([
  { patternProperties: { '.': { type: 'string' } } },
  { propertyNames: { maxLength: 3 } },
  { properties: { a: {} }, maxProperties: 1 },
  { additionalProperties: { type: 'string' } },
  { oneOf: [{ properties: { a: {} }, additionalProperties: false }, { required: ['b'] }] },
])('%j does not restrict extensions', (schema) => {
  expect(checked(schema, { a: 'x', extensions: { any: [1] } }, true).errors).toEqual([]);
});

test('a schema that names extensions restricts them', () => {
  const schema: JsonObject = { properties: { extensions: { type: 'object' } }, required: ['extensions'] };
  expect(checked(schema, { extensions: 1 }).errors).toEqual(['attributes.extensions must be object']);
  expect(checked(schema, {}).errors).toEqual(['attributes.extensions is required']);
});

test('steps of a decimal fraction are those of the written numbers', () => {
  const schema = { properties: { price: { type: 'number', multipleOf: 0.01 } } };
  for (const price of [19.99, 4.35, 0.07, 1_000_000.01]) expect(checked(schema, { price }).errors).toEqual([]);
  expect(checked(schema, { price: 19.995 }).errors).toEqual(['attributes.price must be multiple of 0.01']);
});

test('an attribute may be called as a member of every object is', () => {
  const schema: JsonObject = { properties: { constructor: { type: 'string' }, valueOf: {} }, required: ['valueOf'] };
  expect(checked(schema, { valueOf: 1 }).errors).toEqual([]);
  expect(checked(schema, {}).errors).toEqual(['attributes.valueOf is required']);
});

test('names in parts of the schema are known', () => {
  const schema: JsonObject = {
    $defs: { base: { properties: { c: {} } } },
    allOf: [{ properties: { a: {} } }, { $ref: '#/$defs/base' }],
    patternProperties: { '^x_': { type: 'number' } },
    if: { properties: { kind: { const: 'b' } } },
    required: ['r'],
  };
  expect(checked(schema, { a: 1, c: 1, x_1: 1, kind: 'a', r: 1, d: 1 }).unknown).toEqual(['d']);
  expect(checked(schema, { r: 1, x_1: 'a' }).errors).toEqual(['attributes.x_1 must be number']);
});

test('references are found with their place, inside lists and definitions too', () => {
  const schema: JsonObject = {
    $defs: { person: { type: 'string', 'x-objectType': 'person' } },
    properties: {
      owner: { $ref: '#/$defs/person' },
      items: { type: 'array', items: { properties: { product: { type: 'string', 'x-objectType': 'product' } } } },
    },
  };
  const { references } = checked(schema, { owner: 'p', items: [{}, { product: 'q' }, { product: 3 }] });
  expect(references).toEqual([
    { path: 'attributes.owner', attribute: 'owner', slug: 'person', id: 'p' },
    { path: 'attributes.items[1].product', attribute: 'items', slug: 'product', id: 'q' },
  ]);
});

test('a pattern takes linear time', () => {
  const schema: JsonObject = { properties: { a: { type: 'string', pattern: '^(a+)+$' } } };
  const startedAt = performance.now();
  expect(checked(schema, { a: `${'a'.repeat(20_000)}!` }).errors).toHaveLength(1);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('uniqueItems compares items as JSON values, and many of them quickly', () => {
  const schema: JsonObject = { properties: { a: { type: 'array', uniqueItems: true } } };
  expect(
    checked(schema, {
      a: [
        { x: 1, y: 2 },
        { y: 2, x: 1 },
      ],
    }).errors,
  ).toHaveLength(1);
  const startedAt = performance.now();
  expect(checked(schema, { a: Array.from({ length: 20_000 }, (_, at) => ({ at })) }).errors).toEqual([]);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});

test('one entity gets at most a hundred errors', () => {
  const schema: JsonObject = { properties: { a: { type: 'array', items: { type: 'number' } } } };
  expect(checked(schema, { a: Array(1_000).fill('x') }).errors).toHaveLength(100);
});

test('a schema cannot bring code along', () => {
  const name = `"];globalThis.broken = true;//`;
  const schema: JsonObject = {
    properties: { [name]: { type: 'string', enum: [name], const: name, pattern: '"]' } },
    required: [name],
  };
  checked(schema, { [name]: 'x' });
  expect('broken' in globalThis).toBe(false);
});

test('every pattern of a schema is checked by itself', () => {
  const properties = { zip: { pattern: '^[0-9]{5}$' }, country: { pattern: '^[A-Z]{2}$' } };
  expect(checked({ properties }, { zip: '12345', country: 'DE' }).errors).toEqual([]);
  expect(checked({ properties }, { zip: 'DE', country: '12345' }).errors).toEqual([
    'attributes.zip must match pattern "^[0-9]{5}$"',
    'attributes.country must match pattern "^[A-Z]{2}$"',
  ]);
  const patternProperties = { '^n_': { type: 'number' }, '^t_': { type: 'string' } };
  expect(checked({ patternProperties }, { n_a: 1, t_a: 'x' })).toMatchObject({ errors: [], unknown: [] });
  expect(checked({ patternProperties }, { n_a: 'x', t_a: 1 }).errors).toEqual([
    'attributes.n_a must be number',
    'attributes.t_a must be string',
  ]);
});
