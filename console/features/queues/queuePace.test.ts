import { expect, test } from '@jest/globals';
import { queuePace } from './queuePace.ts';

const counts = { PENDING: 0, PROCESSING: 7, COMPLETED: 90, FAILED: 10, RETRYING: 0, CANCELLED: 0 };
const statistics = { total: 100, completedLast24h: 40, failedLast24h: 8, averageProcessingMs: 1_000, retryRate: 0 };

test('items that wait take as long as so many took in the last day', () => {
  const itemCounts = { ...counts, PENDING: 3, RETRYING: 1 };
  expect(queuePace({ itemCounts, statistics })).toEqual({ waiting: 4, ms: 7_200_000 });
});

test('a queue in which nothing waits, or nothing has ended, has no pace', () => {
  expect(queuePace({ itemCounts: counts, statistics })).toBeUndefined();
  const still = { ...statistics, completedLast24h: 0, failedLast24h: 0 };
  expect(queuePace({ itemCounts: { ...counts, PENDING: 3 }, statistics: still })).toBeUndefined();
  expect(queuePace({ statistics })).toBeUndefined();
});
