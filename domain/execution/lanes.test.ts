import { expect, test } from '@jest/globals';
import { lanesOf } from './lanes.ts';

test.each([
  [1, 1],
  [10, 1],
  [11, 2],
  [50, 2],
  [51, 3],
  [100, 4],
])('%i iterations at once: %i workflows side by side', (concurrency, lanes) => {
  expect(lanesOf(concurrency)).toBe(lanes);
});
