import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { JsonObject } from '../json.ts';
import { isPopulated, mergeAttributes, missingFields, withoutNulls } from './attributes.ts';

const attributes = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<JsonObject>;

test('a supplied attribute replaces the old one, null removes it, the rest stays', () => {
  fc.assert(
    fc.property(attributes, attributes, (given, supplied) => {
      const present = withoutNulls(given);
      const merged = mergeAttributes(present, supplied);
      const names = new Set([...Object.keys(present), ...Object.keys(supplied), ...Object.keys(merged)]);
      for (const name of names) {
        const named = Object.hasOwn(supplied, name) ? supplied[name] : present[name];
        expect([name, Object.hasOwn(merged, name)]).toEqual([name, named !== null && named !== undefined]);
        if (Object.hasOwn(merged, name)) expect(merged[name]).toBe(named);
      }
    }),
  );
});

test('the same update twice changes nothing more, and an empty one nothing at all', () => {
  fc.assert(
    fc.property(attributes, attributes, (given, supplied) => {
      const present = withoutNulls(given);
      const once = mergeAttributes(present, supplied);
      expect(mergeAttributes(once, supplied)).toEqual(once);
      expect(mergeAttributes(present, {})).toEqual(present);
    }),
  );
});

test('names of JavaScript members are valid names', () => {
  const merged = mergeAttributes({ constructor: 1 }, JSON.parse('{"__proto__": 2, "toString": null}'));
  expect(Object.entries(merged)).toEqual([
    ['constructor', 1],
    ['__proto__', 2],
  ]);
  expect(missingFields({}, ['constructor', 'toString'])).toEqual(['constructor', 'toString']);
});

test.each([
  [undefined, false],
  [null, false],
  ['', false],
  [' ', false],
  [[], false],
  [0, true],
  [false, true],
  ['x', true],
  [[null], true],
  [{}, true],
])('%j is something: %s', (value, expected) => {
  expect(isPopulated(value)).toBe(expected);
});
