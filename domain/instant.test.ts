import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { instantOf, isTimestamp } from './instant.ts';

test.each([
  ['2026-11-21', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21T10:15Z', '2026-11-21T10:15:00.000Z'],
  ['2026-11-21T10:15:30.123456789+02:00', '2026-11-21T08:15:30.123Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['0001-01-01', '0001-01-01T00:00:00.000Z'],
  ['2026-02-29', undefined],
  ['2026-02-31T10:15Z', undefined],
  ['2026-04-31', undefined],
  ['2026-13-01', undefined],
  ['2026-00-10', undefined],
  ['2026-01-00', undefined],
  ['2026-01-01T25:00Z', undefined],
  ['2026-01-01T10:15', undefined],
  ['0000-01-01', undefined],
  ['0000-12-31T15:19-09:46', undefined],
  ['0001-01-01T00:00+23:00', undefined],
  ['9999-12-31T23:59:59-23:59', undefined],
  ['+010000-01-01T00:00:00.000Z', undefined],
  ['21 November 2026', undefined],
  ['', undefined],
])('%s is %s', (text, expected) => {
  expect(instantOf(text)?.toISOString()).toBe(expected);
});

test.each([
  ['2026-11-21T10:15:30Z', true],
  ['2026-11-21t10:15:30.123456z', true],
  ['2026-11-21T10:15:30+15:59', true],
  ['2026-11-21T10:15:30-16:00', false],
  ['2026-11-21T10:15:30+20:13', false],
  ['2026-11-21T10:15:30', false],
  ['2026-11-21 10:15:30Z', false],
  ['2026-11-21', false],
  ['2026-02-30T10:15:30Z', false],
  ['2026-11-21T29:15:30Z', false],
  ['2016-12-31T23:59:60Z', false],
  ['0000-01-01T00:00:00Z', false],
])('%s is a timestamp: %s', (text, expected) => {
  expect(isTimestamp(text)).toBe(expected);
});

test('the text that a Date writes is read as that Date', () => {
  const date = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  });
  fc.assert(fc.property(date, (at) => instantOf(at.toISOString())?.getTime() === at.getTime()));
});
