import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isDeeperThan } from './jsonDepth.ts';

const lists = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

test.each([
  ['a text', 'x', 0],
  ['null', null, 0],
  ['an empty object', {}, 1],
  ['a list in an object, beside others', { a: 1, b: [null, 'x'], c: {} }, 2],
  ['lists in lists', lists(100), 100],
  ['more lists than any stack holds', lists(1_000_000), 1_000_000],
])('%s', (_name, value, levels) => {
  expect(isDeeperThan(value, levels)).toBe(false);
  if (levels > 0) expect(isDeeperThan(value, levels - 1)).toBe(true);
});

test('its depth is that of its deepest part', () => {
  const depth = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.nat(8), (value, levels) => {
      expect(isDeeperThan(value, levels)).toBe(depth(value) > levels);
    }),
  );
});
