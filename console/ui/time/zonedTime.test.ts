import { expect, test } from '@jest/globals';
import { fieldOfTime, timeOfField } from './zonedTime.ts';

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
