import { expect, test } from '@jest/globals';
import pg from 'pg';
import { isServersTimeout } from './statementFailure.ts';

const failure = (code: string) => Object.assign(new pg.DatabaseError('canceling statement', 0, 'error'), { code });

test('a statement that hits the time limit of the server has timed out; one that somebody cancels there has not', () => {
  expect(isServersTimeout(failure('57014'), 500.2, 500)).toBe(true);
  expect(isServersTimeout(failure('57014'), 120, 500)).toBe(false);
  expect(isServersTimeout(failure('40001'), 600, 500)).toBe(false);
  expect(isServersTimeout(new Error('socket hang up'), 600, 500)).toBe(false);
});
