import { expect, test } from '@jest/globals';
import { isCommonPassword } from './commonPassword.ts';

test.each(['password123', 'Baseball', 'qwertyuiop', '1QAZ2wsx', 'ｐａｓｓｗｏｒｄ'])(
  '%s is common',
  async (password) => {
    expect(await isCommonPassword(password)).toBe(true);
  },
);

test.each(['a password of Ann', 'correct horse battery staple', 'constructor__'])('%s is not', async (password) => {
  expect(await isCommonPassword(password)).toBe(false);
});
