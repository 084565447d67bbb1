import { expect, test } from '@jest/globals';
import { meaningOf, pauseAfter, TRIED_FOR_MS } from './deliveryPlan.ts';

const dueSince = new Date('2026-11-21T10:00:00.000Z');

function pausesOf(since: Date): number[] {
  const pauses: number[] = [];
  for (let now = since.getTime(); ; ) {
    const pause = pauseAfter(pauses.length + 1, { dueSince: since, now: new Date(now) });
    if (pause === undefined) return pauses;
    pauses.push(pause);
    now += pause;
  }
}

test('an event is tried after 5 s, 30 s, 2 min, 10 min, 1 h, then every 6 h to three days', () => {
  const pauses = pausesOf(dueSince);
  expect(pauses.slice(0, 5)).toEqual([5_000, 30_000, 120_000, 600_000, 3_600_000]);
  expect(new Set(pauses.slice(5))).toEqual(new Set([21_600_000]));
  const total = pauses.reduce((sum, pause) => sum + pause, 0);
  expect(total).toBeLessThanOrEqual(TRIED_FOR_MS);
  expect(total + 21_600_000).toBeGreaterThan(TRIED_FOR_MS);
  expect(pauses).toHaveLength(16);
});

test('an event that waited for another one for three days is tried once', () => {
  expect(pauseAfter(1, { dueSince, now: new Date(dueSince.getTime() + TRIED_FOR_MS) })).toBeUndefined();
});

test.each([
  [200, 'delivered'],
  [204, 'delivered'],
  [299, 'delivered'],
  [301, 'failed'],
  [404, 'failed'],
  [410, 'gone'],
  [429, 'failed'],
  [503, 'failed'],
] as const)('%i is %s', (status, meaning) => expect(meaningOf(status)).toBe(meaning));
