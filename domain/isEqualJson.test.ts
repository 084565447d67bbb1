import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isEqualJson } from './isEqualJson.ts';
import type { Json } from './json.ts';
import { canonicalJson } from './workflow/canonical.ts';

const value = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;

test('equal values are those of one canonical text', () => {
  // Few leaves, so that two values are often equal.
  const alike = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<Json>(null, 0, 1, 'a', true),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b'), tie('value'), { maxKeys: 2 }),
    ),
  })).value;
  fc.assert(
    fc.property(alike, alike, (one, other) => {
      expect(isEqualJson(one, other)).toBe(canonicalJson(one) === canonicalJson(other));
    }),
    { numRuns: 500 },
  );
  fc.assert(fc.property(value, (one) => expect(isEqualJson(one, structuredClone(one))).toBe(true)));
});

test('an undefined member is absent, and the order of members is ignored', () => {
  expect(isEqualJson({ a: 1, b: undefined } as never, { a: 1 })).toBe(true);
  expect(isEqualJson({ a: undefined } as never, { b: undefined } as never)).toBe(true);
  expect(isEqualJson({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(true);
  expect(isEqualJson({ a: null }, {})).toBe(false);
  expect(isEqualJson([], {} as never)).toBe(false);
});
