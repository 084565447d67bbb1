import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from './canonical.ts';

test('canonical JSON does not depend on the order of keys', () => {
  expect(canonicalJson({ b: [{ d: 1, c: null }], a: 'x' })).toBe('{"a":"x","b":[{"c":null,"d":1}]}');
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (object) => {
      const turned = Object.fromEntries(Object.entries(object).reverse());
      expect(canonicalJson(turned as never)).toBe(canonicalJson(object as never));
      expect(JSON.parse(canonicalJson(object as never))).toEqual(JSON.parse(JSON.stringify(object)));
    }),
  );
});
