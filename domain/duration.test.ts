import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { durationMs, durationText } from './duration.ts';

test.each([
  ['90s', 90_000],
  ['1h30m', 5_400_000],
  ['2.5d', 216_000_000],
  ['250ms', 250],
  ['0.5ms', 0.5],
  ['', undefined],
  ['3', undefined],
  ['3 d', undefined],
  ['-3d', undefined],
  ['1h and 2m', undefined],
])('%j is %p milliseconds', (text, ms) => expect(durationMs(text)).toBe(ms));

test('a written duration parses to the same duration, to the second', () => {
  fc.assert(
    fc.property(fc.nat(1e10), (ms) => {
      expect(durationMs(durationText(ms))).toBe(Math.round(ms / 1_000) * 1_000);
    }),
  );
  expect([durationText(Number.NaN), durationText(-5)]).toEqual(['0s', '0s']);
});
