import { expect, test } from '@jest/globals';
import { cronTimes } from './cron.ts';

const any = { minute: '*', hour: '*', dayOfMonth: '*', month: '*', dayOfWeek: '*' };

test('five fields begin at second 0', () => {
  expect(cronTimes('*/20 9 * * *')).toEqual([{ ...any, second: [0], minute: [0, 20, 40], hour: [9] }]);
});

test('six fields begin with the seconds', () => {
  expect(cronTimes(' 0-59/30  * * * *  * ')).toEqual([{ ...any, second: [0, 30] }]);
});

test('names count, and Sunday is 0 and 7', () => {
  expect(cronTimes('0 0 * jan,DEC mon-wed')[0]).toMatchObject({ month: [1, 12], dayOfWeek: [1, 2, 3] });
  expect(cronTimes('0 0 * * 7')).toEqual(cronTimes('0 0 * * 0'));
  expect(cronTimes('0 0 * * 7')[0]?.dayOfWeek).toEqual([0]);
});

test('a day of the month and a day of the week: either is enough', () => {
  const at = { ...any, second: [0], minute: [0], hour: [9] };
  expect(cronTimes('0 9 1,15 * FRI')).toEqual([
    { ...at, dayOfMonth: [1, 15] },
    { ...at, dayOfWeek: [5] },
  ]);
});

test('a step over all days restricts together with the other', () => {
  expect(cronTimes('0 9 */10 * FRI')).toEqual([
    { ...any, second: [0], minute: [0], hour: [9], dayOfMonth: [1, 11, 21, 31], dayOfWeek: [5] },
  ]);
});

test.each([
  ['* * * *', /4 fields/],
  ['* * * * * * *', /7 fields/],
  ['', /fields/],
  ['@daily', /1 fields/],
  ['61 * * * *', /^the minute is 61, expected 0 to 59$/],
  ['0 25 * * *', /^the hour is 25, expected 0 to 23$/],
  ['99 0 0 * * *', /^the second is 99/],
  ['0 0 1-32 * *', /^the day of the month is 32, expected 1 to 31$/],
  ['0 0 * 0 *', /^the month is 0/],
  ['0 0 * * 1-8', /^the day of the week is 8/],
  ['0 0 31 2 *', /day of month/],
  ['0 0 L * *', /"L"/],
  ['0 0 ? * 1', /"\?"/],
  ['0 0 * * 1#2', /"1#2"/],
  ['H * * * *', /"H"/],
  ['5-1 * * * *', /./],
  ['1,, * * * *', /./],
  ['*/0 * * * *', /./],
])('refuses %j', (expression, message) => {
  expect(() => cronTimes(expression)).toThrow(message);
});
