import { expect, test } from '@jest/globals';
import { moneyText } from './moneyText.ts';

test.each([
  ['0.0009824', '0.00098 USD'],
  ['0.0149', '0.01 USD'],
  ['1.2', '1.20 USD'],
  ['0', '0.00 USD'],
  ['1234.567', '1,234.57 USD'],
])('%s is shown as %s', (amount, text) => expect(moneyText(amount, 'USD')).toBe(text));
