import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pattern } from '../expression/functions/pattern.ts';
import type { JsonObject } from '../json.ts';
import { compileRules } from './compiledRules.ts';
import { samplePattern } from './samplePattern.ts';
import { importTemplate } from './sampleRow.ts';

function template(attributeSchema: JsonObject) {
  const rules = { attributeSchema, stateSchema: null, allowUnknownAttributes: false };
  const { check } = compileRules(rules);
  const made = importTemplate(
    'Thing',
    rules,
    (attributes) => check(attributes).errors.length === 0,
    () => undefined,
  );
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
  ['one of several', { enum: ['a', 'b'] }],
  ['a constant', { const: 5 }],
  ['an example', { type: 'string', pattern: '^[^x]{3}$', examples: ['abc'] }],
  ['number', { type: 'number', minimum: 0.1, maximum: 0.2 }],
  ['number above', { type: 'number', exclusiveMinimum: 1 }],
  ['number below', { type: 'number', exclusiveMaximum: -3 }],
  ['steps', { type: 'integer', multipleOf: 7, minimum: 8 }],
  ['negative', { type: 'integer', maximum: -5 }],
  ['boolean', { type: 'boolean' }],
  ['nullable', { type: ['null', 'integer'] }],
  ['list', { type: 'array', items: { type: 'integer' }, minItems: 2 }],
  ['object', { type: 'object', required: ['a'], properties: { a: { type: 'string' }, b: {} } }],
  ['definition', { $ref: '#/$defs/money' }],
  ['choice', { oneOf: [{ type: 'integer' }, { type: 'string' }] }],
])('a sample of %s holds', (_, schema) => {
  const { errors, headers, sampleRow } = template({
    $defs: { money: { type: 'object', required: ['amount'], properties: { amount: { type: 'number' } } } },
    required: ['a'],
    properties: { a: schema },
  });
  expect([errors, headers]).toEqual([[], ['name', 'a']]);
  expect(sampleRow.a).not.toBeNull();
});

test('an optional attribute without a possible sample stays empty', () => {
  const { errors, sampleRow } = template({
    properties: { a: { type: 'string', pattern: '^[^a]$' }, b: { type: 'string' } },
  });
  expect([errors, sampleRow]).toEqual([[], { name: 'Sample Thing', a: null, b: 'sample' }]);
});

test('a sample of a pattern matches it, or is none', () => {
  const part = fc.constantFrom('a', '[b-d]', '\\d', '\\w+', '(x|yy)', '(?:e)?', '[A-Z]{2}', 'f*', '\\.', 'g{1,3}', '-');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
      const source = `^${parts.join('')}$`;
      const text = samplePattern(source);
      expect(text === undefined ? 'none' : pattern(source).matches(text)).toBe(true);
    }),
  );
});
