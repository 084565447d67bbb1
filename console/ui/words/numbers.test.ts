import { expect, test } from '@jest/globals';
import { moneyText, numberText, waitText } from './numbers.ts';

test.each([
  [42, '42'],
  [2026, '2026'],
  [59.699999999999996, '59.7'],
  [477.59999999999997, '477.6'],
  [-0.1, '-0.1'],
  [9007199254740991, '9007199254740991'],
])('%d is shown as %s', (value, text) => expect(numberText(value)).toBe(text));

test.each([
  ['0.0009824', '0.00098 USD'],
  ['0.0149', '0.01 USD'],
  ['1.2', '1.20 USD'],
  ['0', '0.00 USD'],
  ['1234.567', '1,234.57 USD'],
])('%s is shown as %s', (amount, text) => expect(moneyText(amount, 'USD')).toBe(text));

test('a wait is in seconds below two minutes, then in minutes, and never too short', () => {
  expect([900, 42_000, 119_500, 121_000, 900_000].map(waitText)).toEqual([
    '1 second',
    '42 seconds',
    '2 minutes',
    '3 minutes',
    '15 minutes',
  ]);
});
