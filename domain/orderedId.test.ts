import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { v7, validate, version } from 'uuid';
import { ORDERED_IDS, orderedId } from './orderedId.ts';

test('ids of one base are UUIDv7s of its time, sort by index, and are reproducible', () => {
  const base = v7();
  const index = fc.nat(ORDERED_IDS - 1);
  fc.assert(
    fc.property(index, index, (a, b) => {
      const [x, y] = [orderedId(base, a), orderedId(base, b)];
      expect([validate(x), version(x), x.slice(0, 13)]).toEqual([true, 7, base.slice(0, 13)]);
      expect(Math.sign(a - b)).toBe(x < y ? -1 : x === y ? 0 : 1);
      expect(orderedId(base, a)).toBe(x);
    }),
  );
  expect(orderedId(v7(), 1)).not.toBe(orderedId(base, 1));
  expect(() => orderedId(base, ORDERED_IDS)).toThrow(RangeError);
});
