import { expect, test } from '@jest/globals';
import { waitText } from './waitText.ts';

test('a wait is in seconds below two minutes, then in minutes, and never too short', () => {
  expect([900, 42_000, 119_500, 121_000, 900_000].map(waitText)).toEqual([
    '1 second',
    '42 seconds',
    '2 minutes',
    '3 minutes',
    '15 minutes',
  ]);
});
