import { expect, test } from '@jest/globals';
import { durationText } from './times.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

test('a duration has its two largest parts', () => {
  const all = [250, 1_250, 42 * SECOND, 3 * MINUTE + 2 * SECOND, 2 * HOUR + 5 * MINUTE + SECOND, 4 * DAY + 2 * HOUR];
  expect(all.map(durationText)).toEqual(['250 ms', '1.3 s', '42 s', '3 m 02 s', '2 h 05 m', '4 d 2 h']);
});

test('a part that is none is left out', () => {
  const all = [3 * MINUTE, 2 * HOUR + 40 * SECOND, 4 * DAY, 4 * DAY + 59 * MINUTE];
  expect(all.map(durationText)).toEqual(['3 m', '2 h', '4 d', '4 d']);
});
