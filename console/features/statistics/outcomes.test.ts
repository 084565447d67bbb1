import { expect, test } from '@jest/globals';
import { dayFigures, isSlower, outcomeParts, slowestGroups, totalOf } from './outcomes.ts';

const counts = {
  ...{ PENDING: 1, RUNNING: 2, WAITING: 3, NEEDS_INPUT: 4 },
  ...{ COMPLETED: 50, FAILED: 6, CANCELLED: 0, TIMED_OUT: 1 },
};

test('a bar is stacked of what completed, what failed and what is open, without what is none', () => {
  expect(outcomeParts({ counts })).toEqual([
    { tone: 'good', count: 50 },
    { tone: 'bad', count: 7 },
    { tone: 'run', count: 10 },
  ]);
  expect(totalOf({ counts })).toBe(67);
});

const NONE = {
  ...{ PENDING: 0, RUNNING: 0, WAITING: 0, NEEDS_INPUT: 0 },
  ...{ COMPLETED: 0, FAILED: 0, CANCELLED: 0, TIMED_OUT: 0 },
};

test('the share of failures counts what completed or failed, of all days together', () => {
  const busy = {
    start: '2026-11-24T00:00:00.000Z',
    counts: { ...NONE, RUNNING: 4, COMPLETED: 6, FAILED: 1, TIMED_OUT: 1 },
    ...{ p50Ms: 20, p95Ms: 900 },
  };
  const buckets = [
    { start: '2026-11-23T00:00:00.000Z', counts: NONE, p50Ms: null, p95Ms: null },
    busy,
    { start: '2026-11-25T00:00:00.000Z', counts: { ...NONE, CANCELLED: 1 }, p50Ms: null, p95Ms: null },
  ];
  expect(dayFigures(buckets)).toEqual({ total: 13, failedShare: 0.25, longestMs: 900, lastTimed: busy });
});

test('of nothing there is no share', () => {
  expect(dayFigures([])).toEqual({ total: 0, failedShare: undefined, longestMs: 1, lastTimed: undefined });
});

const group = (key: string, p50Ms: number | null, p95Ms: number | null) => ({
  ...{ key, name: key, counts: NONE, p50Ms, p95Ms },
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
