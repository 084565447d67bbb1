import { describe, expect, test } from '@jest/globals';
import { durationOf, durationWritten } from './durationWords.ts';

describe('durations as people write them', () => {
  test('are read with any units, a number alone as milliseconds', () => {
    const texts = ['250', '90 s', '5min', '1.5 h', '1 h 30 min', '2 Days', '1 d 250 ms', '0'];
    expect(texts.map(durationOf)).toEqual([250, 90_000, 300_000, 5_400_000, 5_400_000, 172_800_000, 86_400_250, 0]);
  });

  test('that are invalid are rejected', () => {
    for (const text of ['', 'soon', '5 parsecs', '-5 s', '5 min soon', 'min 5', '1e3']) {
      expect(durationOf(text)).toBeUndefined();
    }
  });

  test('are written in the largest exact units, and parse to the same value', () => {
    for (const [ms, text] of [
      [0, '0 s'],
      [250, '250 ms'],
      [90_000, '1 min 30 s'],
      [86_400_000, '1 d'],
      [93_784_005, '1 d 2 h 3 min 4 s 5 ms'],
    ] as const) {
      expect(durationWritten(ms)).toBe(text);
      expect(durationOf(text)).toBe(ms);
    }
    expect([-1, 0.5].map(durationWritten)).toEqual(['-1 ms', '0.5 ms']);
  });
});
