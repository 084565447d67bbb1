import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isMultiple } from './isMultiple.ts';

test.each<[number, number, boolean]>([
  [19.99, 0.01, true],
  [-4.35, 0.01, true],
  [1.1, 0.1, true],
  [0.001, 0.01, false],
  [19.995, 0.01, false],
  [0.30000000000000004, 0.1, false],
  [1e22, 3, false],
  [1e308, 1e-320, true],
  [7.5, 2.5, true],
  [0, 0.3, true],
  [-0, 7, true],
  [14, 7, true],
  [15, 7, false],
])('%d as a multiple of %d: %s', (value, step, expected) => {
  expect(isMultiple(value, step)).toBe(expected);
});

test('every amount in cents is a multiple of a cent, and of no coarser step that does not divide it', () => {
  fc.assert(
    fc.property(fc.integer(), (cents) => {
      const amount = Number(`${cents}e-2`);
      expect(isMultiple(amount, 0.01)).toBe(true);
      expect(isMultiple(amount, 0.05)).toBe(cents % 5 === 0);
    }),
  );
});
