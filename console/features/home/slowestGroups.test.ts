import { expect, test } from '@jest/globals';
import { isSlower, slowestGroups } from './slowestGroups.ts';

const counts = {
  PENDING: 0,
  RUNNING: 1,
  WAITING: 0,
  NEEDS_INPUT: 0,
  COMPLETED: 0,
  FAILED: 0,
  CANCELLED: 0,
  TIMED_OUT: 0,
};
const group = (key: string, p50Ms: number | null, p95Ms: number | null) => ({
  ...{ key, name: key, counts, p50Ms, p95Ms },
  lastAt: '2026-01-01T00:00:00.000Z',
});

test('the slowest come first, those in which nothing has ended are left out', () => {
  const groups = [group('quick', 1, 9), group('open', null, null), group('slow', 40, 100), group('new', 5, 50)];
  const before = [group('slow', 10, 50), group('quick', 1, 8), group('new', null, null)];
  const slowest = slowestGroups(groups, before, 5);
  expect(slowest.map(({ key, wasMs }) => [key, wasMs])).toEqual([
    ['slow', 50],
    ['new', undefined],
    ['quick', 8],
  ]);
  expect(slowest.map(isSlower)).toEqual([true, false, false]);
  expect(slowestGroups(groups, before, 1).map(({ key }) => key)).toEqual(['slow']);
});
