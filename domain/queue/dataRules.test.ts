import { expect, test } from '@jest/globals';
import type { Json, JsonObject } from '../json.ts';
import { compileRules } from '../object/compiledRules.ts';
import { ruleProblems } from '../object/ruleProblems.ts';
import { DEFAULT_SCHEMA_LIMITS } from '../object/rules.ts';
import { dataRules } from './dataRules.ts';

const SCHEMA: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $defs: { money: { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] } },
  type: 'object',
  properties: { total: { $ref: '#/$defs/money' }, email: { type: 'string', format: 'email' } },
  required: ['total'],
  additionalProperties: false,
};

function errorsOf(schema: JsonObject, data: Json): string[] {
  const rules = dataRules(schema);
  expect(ruleProblems(rules, DEFAULT_SCHEMA_LIMITS)).toEqual([]);
  return compileRules(rules)
    .check({ data })
    .errors.map(({ path }) => path);
}

test('data that fits, and places of data that does not', () => {
  expect(errorsOf(SCHEMA, { total: { amount: 1 } })).toEqual([]);
  expect(errorsOf(SCHEMA, { total: { amount: '1' }, email: 'x' })).toEqual([
    'attributes.data.total.amount',
    'attributes.data.email',
  ]);
  expect(errorsOf(SCHEMA, {})).toEqual(['attributes.data.total']);
  expect(errorsOf(SCHEMA, { total: { amount: 1 }, extensions: {} })).toEqual(['attributes.data.extensions']);
  expect(errorsOf(SCHEMA, [])).toEqual(['attributes.data']);
});

test('data that is no object', () => {
  expect(errorsOf({ type: 'array', items: { type: 'string' } }, ['a', 1])).toEqual(['attributes.data[1]']);
  expect(errorsOf({ type: ['string', 'null'] }, null)).toEqual([]);
  expect(errorsOf({}, 7)).toEqual([]);
});

const DEEP = Array.from({ length: 40 }).reduce<JsonObject>((inner) => ({ properties: { a: inner } }), {});

test.each<[string, JsonObject, unknown]>([
  ['an unknown type', { properties: { a: { type: 'texts' } } }, 'dataSchema.properties.a.type'],
  ['a reference to another schema', { $ref: 'https://x.example/a.json' }, 'dataSchema.$ref'],
  ['a recursive reference', { properties: { a: { $ref: '#' } } }, 'dataSchema'],
  [
    'a reference to an entity',
    { properties: { a: { type: 'string', 'x-objectType': 'order' } } },
    'dataSchema.properties.a.x-objectType',
  ],
  ['look-around', { pattern: '(?=a)' }, 'dataSchema.pattern'],
  ['another dialect', { $schema: 'http://json-schema.org/draft-07/schema#' }, 'dataSchema.$schema'],
  ['a schema that is too deep', DEEP, expect.stringMatching(/^dataSchema\.properties\.a/)],
  ['a schema that is too large', { description: 'x'.repeat(70_000) }, 'dataSchema'],
])('%s is a problem of the schema', (_, schema, path) => {
  expect(ruleProblems(dataRules(schema), DEFAULT_SCHEMA_LIMITS).map((each) => each.path)).toEqual([path]);
});
