import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pattern } from '../expression/functions/pattern.ts';
import type { JsonObject } from '../json.ts';
import { compileRules } from './compiledRules.ts';
import { samplePattern } from './samplePattern.ts';
import { importTemplate } from './sampleRow.ts';

function template(attributeSchema: JsonObject) {
  const rules = compileRules({ attributeSchema, stateSchema: null, allowUnknownAttributes: false });
  const { check } = rules;
  const made = importTemplate('Thing', rules, () => undefined);
  const { name: _, ...cells } = made.sampleRow;
  const attributes = Object.fromEntries(Object.entries(cells).filter(([, value]) => value !== null)) as JsonObject;
  return { ...made, errors: check(attributes).errors };
}

test.each<[string, JsonObject]>([
  ['text', { type: 'string' }],
  ['short text', { type: 'string', maxLength: 3 }],
  ['long text', { type: 'string', minLength: 20 }],
  ['text by format', { type: 'string', format: 'date-time' }],
  ['text by pattern', { type: 'string', pattern: '^(?:[A-Z]{2}|x)-\\d{3,5}(\\.[a-f0-9]+)?$' }],
  ['text by classes that leave out', { type: 'string', pattern: '^[^@\\s]+@[^@]+\\.[[:alpha:]]{2,}$' }],
  ['text by classes of letters', { type: 'string', pattern: '^(?i)\\p{L}+(?i:x)[\\d_-]\\PN$' }],
  ['one of several', { enum: ['a', 'b'] }],
  ['one of several, the first of which are empty', { enum: [null, '', 'b'] }],
  ['text with an empty default', { type: 'string', default: '' }],
  ['a constant', { const: 5 }],
  ['list that contains', { type: 'array', items: { type: 'integer' }, contains: { minimum: 5 }, minContains: 2 }],
  ['list of references to nothing', { type: 'array', items: { type: 'string', 'x-objectType': 'x' } }],
  ['an example', { type: 'string', pattern: '^[^x]{3}$', examples: ['abc'] }],
  ['number', { type: 'number', minimum: 0.1, maximum: 0.2 }],
  ['number above', { type: 'number', exclusiveMinimum: 1 }],
  ['number below', { type: 'number', exclusiveMaximum: -3 }],
  ['steps', { type: 'integer', multipleOf: 7, minimum: 8 }],
  ['steps of a decimal fraction', { type: 'number', multipleOf: 0.1, minimum: 1.15 }],
  ['steps of a decimal fraction below a bound', { type: 'number', multipleOf: 0.1, maximum: 0.35 }],
  [
    'list of different steps',
    { type: 'array', uniqueItems: true, minItems: 4, items: { type: 'number', multipleOf: 0.7 } },
  ],
  ['negative', { type: 'integer', maximum: -5 }],
  ['boolean', { type: 'boolean' }],
  ['nullable', { type: ['null', 'integer'] }],
  ['list', { type: 'array', items: { type: 'integer' }, minItems: 2 }],
  ['object', { type: 'object', required: ['a'], properties: { a: { type: 'string' }, b: {} } }],
  ['definition', { $ref: '#/$defs/money' }],
  ['list without equal items', { type: 'array', uniqueItems: true, minItems: 3, items: { type: 'string' } }],
  ['list of different choices', { type: 'array', uniqueItems: true, minItems: 2, items: { enum: [1, 2] } }],
  [
    'object of parts',
    {
      allOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'string' } } },
        { required: ['b'], properties: { b: { type: 'number' } } },
      ],
      unevaluatedProperties: false,
    },
  ],
  ['choice', { oneOf: [{ type: 'integer' }, { type: 'string' }] }],
])('a sample of %s is valid', (_, schema) => {
  const { errors, headers, sampleRow } = template({
    $defs: { money: { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } } },
    required: ['a'],
    properties: { a: schema },
  });
  expect([errors, headers]).toEqual([[], ['name', 'a']]);
  expect([null, '']).not.toContain(sampleRow.a);
});

test('an optional attribute without a possible sample stays empty', () => {
  const { errors, sampleRow } = template({
    properties: { a: { type: 'string', pattern: '^[^a]$', maxLength: 0 }, b: { type: 'string' } },
  });
  expect([errors, sampleRow]).toEqual([[], { name: 'Sample Thing', a: null, b: 'sample' }]);
});

test('columns are the attributes of all parts of the schema, with a prefix if their name is a member of entities', () => {
  const parts = template({
    $ref: '#/$defs/thing',
    $defs: {
      thing: {
        required: ['b'],
        properties: { a: { type: 'string' }, b: { type: 'integer' } },
        additionalProperties: false,
      },
    },
  });
  expect([parts.errors, parts.sampleRow]).toEqual([[], { name: 'Sample Thing', a: 'sample', b: 1 }]);
  const whole = template({
    required: ['kind'],
    properties: { note: { type: 'string' }, kind: { const: 'company' }, vat: { type: 'string' } },
    if: { properties: { kind: { const: 'company' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ['vat'] },
  });
  expect([whole.errors, whole.sampleRow]).toEqual([
    [],
    { name: 'Sample Thing', note: 'sample', kind: 'company', vat: 'sample' },
  ]);
  const { headers } = template({ properties: { name: {}, entityName: {}, state: {}, 'attributes.a': {}, 'a b': {} } });
  expect(headers).toEqual([
    'name',
    'attributes.name',
    'attributes.entityName',
    'state',
    'attributes.attributes.a',
    'a b',
  ]);
});

test('a sample of a pattern matches it, or is absent', () => {
  const part = fc.constantFrom('a', '[b-d]', '\\d', '\\w+', '(x|yy)', '(?:e)?', '[A-Z]{2}', 'f*', '\\.', 'g{1,3}', '-');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const source = `^${parts.join('')}$`;
      const text = samplePattern(source);
      expect(text === undefined ? 'none' : pattern(source).matches(text)).toBe(true);
    }),
  );
});
