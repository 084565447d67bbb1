import { expect, test } from '@jest/globals';
import { durationText, fieldOfTime, timeOfField } from './times.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000];

test('a duration has its two largest parts', () => {
  const all = [250, 1_250, 42 * SECOND, 3 * MINUTE + 2 * SECOND, 2 * HOUR + 5 * MINUTE + SECOND, 4 * DAY + 2 * HOUR];
  expect(all.map(durationText)).toEqual(['250 ms', '1.3 s', '42 s', '3 m 02 s', '2 h 05 m', '4 d 2 h']);
});

test('a part that is none is left out', () => {
  const all = [3 * MINUTE, 2 * HOUR + 40 * SECOND, 4 * DAY, 4 * DAY + 59 * MINUTE];
  expect(all.map(durationText)).toEqual(['3 m', '2 h', '4 d', '4 d']);
});

test('a time comes back from its field, in the zone of the machine and in UTC', () => {
  for (const zone of ['local', 'UTC'] as const) {
    for (const time of ['2026-11-28T02:00:00.000Z', '2026-06-01T23:30:00.000Z', '2026-03-29T00:59:00.000Z']) {
      expect(timeOfField(fieldOfTime(time, zone), zone)).toBe(time);
    }
  }
  expect(fieldOfTime('2026-11-28T02:00:59.999Z', 'UTC')).toBe('2026-11-28T02:00');
});

test('a day begins at its midnight', () => {
  expect(timeOfField('2026-11-28', 'UTC')).toBe('2026-11-28T00:00:00.000Z');
  expect(timeOfField('2026-11-28', 'local')).toBe(new Date(2026, 10, 28).toISOString());
});

test('a text that is no time is none', () => {
  expect(['', 'soon', '2026-13-01T00:00'].map((text) => timeOfField(text, 'UTC'))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect([undefined, '', 'soon'].map((time) => fieldOfTime(time, 'local'))).toEqual(['', '', '']);
});
