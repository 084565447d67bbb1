import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Json, JsonObject } from '../json.ts';
import { attributeSchemaProblems } from './attributeSchema.ts';
import { compileRules } from './compiledRules.ts';
import { DEFAULT_SCHEMA_LIMITS } from './rules.ts';
import { sampleOf } from './sampleRow.ts';

const problemsOf = (schema: JsonObject) => attributeSchemaProblems(schema, DEFAULT_SCHEMA_LIMITS);

test.each<[JsonObject, string]>([
  [{ properties: { a: { nullable: true } } }, 'attributeSchema.properties.a.nullable'],
  [{ properties: { a: { type: 'null', nullable: false } } }, 'attributeSchema.properties.a.nullable'],
  [{ properties: { a: { enum: [] } } }, 'attributeSchema.properties.a.enum'],
  [{ id: 'order' }, 'attributeSchema.id'],
  [
    { properties: { a: { type: ['string', 'number'], 'x-objectType': 'order' } } },
    'attributeSchema.properties.a.x-objectType',
  ],
  [{ $async: true }, 'attributeSchema.$async'],
  [{ properties: { a: { $async: false } } }, 'attributeSchema.properties.a.$async'],
  [{ dependencies: { a: { $ref: '#' } } }, 'attributeSchema.dependencies'],
  // `$ref` must not point there, because that place is not checked.
  [{ properties: { a: { $ref: '#/zzz' } }, zzz: { pattern: '(?=a)' } }, 'attributeSchema.properties.a.$ref'],
])('%j is refused', (schema, path) => {
  expect(problemsOf(schema).map((each) => each.path)).toEqual([path]);
});

test.each<JsonObject>([
  { properties: { a: { type: 'string', nullable: true } } },
  { properties: { a: { type: ['string', 'null'], 'x-objectType': 'order' } } },
  { properties: { id: { type: 'string' }, dependencies: { type: 'array' }, enum: {}, nullable: {} } },
  { properties: { a: { $ref: '#/definitions/x' } }, definitions: { x: { type: 'string' } } },
  { properties: { a: { type: 'string', format: 'date', formatMinimum: '2020-01-01' } } },
])('%j is taken', (schema) => {
  expect(problemsOf(schema)).toEqual([]);
});

const NAMES = ['a', 'b', 'c d', '__proto__', 'constructor', 'extensions', ''];
const { schema } = fc.letrec<{ schema: Json; keyword: [string, Json]; named: JsonObject }>((tie) => {
  const inner = tie('schema');
  const values: Record<string, fc.Arbitrary<Json>> = {
    type: fc.constantFrom<Json>('string', 'number', 'integer', 'boolean', 'object', 'array', 'null', [
      'string',
      'null',
    ]),
    pattern: fc.constantFrom('^a+$', '(a+)+$', '(?=a)', '['),
    format: fc.constantFrom('email', 'date-time', 'regex', 'zzz'),
    ...Object.fromEntries(
      ['minLength', 'maxLength', 'minItems', 'maxProperties', 'minContains'].map((each) => [each, fc.nat(3)]),
    ),
    minimum: fc.constantFrom<Json>(0, -1e308, { $data: '1/a' }),
    multipleOf: fc.constantFrom(0.1, 1e-320, 3),
    enum: fc.constantFrom<Json>([], [1], ['a', null, {}], [1, 1]),
    const: fc.constantFrom<Json>(1, null, { a: [1] }),
    $ref: fc.constantFrom('#', '#/properties/a', '#/$defs/a', '#/definitions/b', '#/zzz', '#a', 'http://example.com/s'),
    ...Object.fromEntries(
      ['not', 'if', 'then', 'else', 'items', 'contains', 'additionalProperties', 'propertyNames', 'zzz'].map((each) => [
        each,
        inner,
      ]),
    ),
    ...Object.fromEntries(['unevaluatedProperties', 'unevaluatedItems'].map((each) => [each, inner])),
    ...Object.fromEntries(['allOf', 'anyOf', 'oneOf', 'prefixItems'].map((each) => [each, fc.tuple(inner, inner)])),
    ...Object.fromEntries(
      ['properties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'].map((each) => [each, tie('named')]),
    ),
    patternProperties: fc.dictionary(fc.constantFrom('^a', '('), inner, { maxKeys: 1 }),
    required: fc.constantFrom<Json>(['a'], [], ['__proto__']),
    dependentRequired: fc.constant<Json>({ a: ['b'] }),
    nullable: fc.constantFrom<Json>(true, false, 'x'),
    'x-objectType': fc.constantFrom<Json>('order', 1),
    ...Object.fromEntries(
      ['$id', 'id', '$anchor', '$async', '$dynamicRef', 'formatMinimum', 'discriminator', 'default', 'constructor'].map(
        (each) => [each, fc.constantFrom<Json>('x', 1, { a: 1 })],
      ),
    ),
    uniqueItems: fc.boolean(),
  };
  const keyword = fc.oneof(...Object.entries(values).map(([name, value]) => fc.tuple(fc.constant(name), value)));
  const keywords = fc.array(tie('keyword'), { maxLength: 3 }).map((pairs): Json => Object.fromEntries(pairs));
  return {
    keyword,
    named: fc.dictionary(fc.constantFrom(...NAMES), inner, { maxKeys: 3 }) as fc.Arbitrary<JsonObject>,
    schema: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.constantFrom<Json>(true, {}, false), keywords),
  };
});
const VALUES: Json[] = [1, 'a', '', null, true, [], {}, [1, [2]], { a: { a: 1 } }, 1e300, -0.5];

test('a schema without a problem compiles, checks any values, and has a sample', () => {
  const attributes = fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom(...VALUES)) as fc.Arbitrary<JsonObject>;
  const properties = fc.dictionary(fc.constantFrom(...NAMES), schema) as fc.Arbitrary<JsonObject>;
  let taken = 0;
  fc.assert(
    fc.property(properties, schema, attributes, (named, more, values) => {
      const attributeSchema = { ...(typeof more === 'object' ? more : {}), properties: named } as JsonObject;
      if (problemsOf(attributeSchema).length > 0) return;
      taken++;
      compileRules({ attributeSchema, stateSchema: null, allowUnknownAttributes: false }).check(values);
      sampleOf(attributeSchema, attributeSchema, () => undefined);
    }),
    { numRuns: 3_000 },
  );
  expect(taken).toBeGreaterThan(100);
});

test('the message about an unknown type lists the valid types once', () => {
  const message = 'expected one of array, boolean, integer, null, number, object, string';
  expect(problemsOf({ properties: { a: { type: 'txt' }, c: { type: 7 } } })).toEqual([
    { path: 'attributeSchema.properties.a.type', message },
    { path: 'attributeSchema.properties.c.type', message },
  ]);
});
