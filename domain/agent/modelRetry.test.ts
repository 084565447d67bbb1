import { expect, test } from '@jest/globals';
import { pauseBeforeRetry } from './modelRetry.ts';

const LIMITS = { maxRetries: 10, maxWaitMs: 60_000 };

test('pauses double, and all of one call together are bounded', () => {
  const pauses: (number | undefined)[] = [];
  for (let retries = 0, waitedMs = 0; retries < 10; retries += 1) {
    const pause = pauseBeforeRetry({ retryable: true }, { retries, waitedMs }, LIMITS);
    pauses.push(pause);
    if (pause === undefined) break;
    waitedMs += pause;
  }
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, undefined]);
});

test.each([
  ['the provider asks for less', true, 1_000, 0, 1_000],
  ['it may be asked at once', true, 0, 0, 0],
  ['it asks for more than a turn waits', true, 7_200_000, 0, undefined],
  ['the failure is for good', false, 1_000, 0, undefined],
  ['the tries are used up', true, 1_000, 10, undefined],
])('if %s', (_, retryable, retryAfterMs, retries, pause) => {
  expect(pauseBeforeRetry({ retryable, retryAfterMs }, { retries, waitedMs: 0 }, LIMITS)).toBe(pause);
});
