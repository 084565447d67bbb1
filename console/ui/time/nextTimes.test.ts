import { expect, test } from '@jest/globals';
import { nextTimes } from './nextTimes.ts';

const iso = (times: { at: number }[]) => times.map(({ at }) => new Date(at).toISOString());

test('a cron expression follows the clock of its zone and marks clock changes', () => {
  const berlin = { cron: '0 9 * * *', timezone: 'Europe/Berlin' };
  const times = nextTimes(berlin, Date.parse('2026-03-27T12:00:00Z'), 3);
  expect(iso(times)).toEqual(['2026-03-28T08:00:00.000Z', '2026-03-29T07:00:00.000Z', '2026-03-30T07:00:00.000Z']);
  expect(times.map(({ clocks }) => clocks)).toEqual([undefined, { from: 'GMT+01:00', to: 'GMT+02:00' }, undefined]);
});

test('an interval counts from the time that the engine reports, or from the epoch', () => {
  const times = { everyMs: 90_000, timezone: 'UTC' };
  const now = Date.parse('2026-11-25T12:00:10Z');
  expect(iso(nextTimes(times, now, 2))).toEqual(['2026-11-25T12:01:30.000Z', '2026-11-25T12:03:00.000Z']);
  expect(iso(nextTimes(times, now, 2, now + 1_000))).toEqual(['2026-11-25T12:00:11.000Z', '2026-11-25T12:01:41.000Z']);
});
