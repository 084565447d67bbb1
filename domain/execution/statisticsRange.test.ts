import { expect, test } from '@jest/globals';
import { statisticsRange } from './statisticsRange.ts';

const NOW = new Date('2026-11-24T10:20:30.000Z');

function startsOf(bucket: 'hour' | 'day', after?: string, before?: string): string[] {
  const range = statisticsRange(
    bucket,
    NOW,
    after ? new Date(after) : undefined,
    before ? new Date(before) : undefined,
  );
  if (typeof range === 'number') throw new Error(`${range} buckets`);
  return range.starts.map((start) => start.toISOString());
}

test('without times the last day by hours, the last thirty days by days', () => {
  const hours = startsOf('hour');
  expect([hours.length, hours[0], hours.at(-1)]).toEqual([25, '2026-11-23T10:00:00.000Z', '2026-11-24T10:00:00.000Z']);
  const days = startsOf('day');
  expect([days.length, days[0], days.at(-1)]).toEqual([31, '2026-10-25T00:00:00.000Z', '2026-11-24T00:00:00.000Z']);
});

test('the buckets of a range hold its first and its last moment', () => {
  expect(startsOf('hour', '2026-11-24T07:59:59.999Z', '2026-11-24T09:00:00.000Z')).toEqual([
    '2026-11-24T07:00:00.000Z',
    '2026-11-24T08:00:00.000Z',
    '2026-11-24T09:00:00.000Z',
  ]);
  expect(startsOf('day', '2026-11-25T00:00:00.000Z', '2026-11-24T00:00:00.000Z')).toEqual([]);
});

test('more than a thousand buckets are too many', () => {
  expect(statisticsRange('hour', NOW, new Date('2026-01-01T00:00:00Z'), undefined)).toBeGreaterThan(7_000);
  expect(startsOf('day', '2024-03-01T00:00:00Z')).toHaveLength(999);
});
