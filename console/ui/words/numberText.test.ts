import { expect, test } from '@jest/globals';
import { numberText } from './numberText.ts';

test.each([
  [42, '42'],
  [2026, '2026'],
  [59.699999999999996, '59.7'],
  [477.59999999999997, '477.6'],
  [-0.1, '-0.1'],
  [9007199254740991, '9007199254740991'],
])('%d is shown as %s', (value, text) => expect(numberText(value)).toBe(text));
