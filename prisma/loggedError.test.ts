import { expect, test } from '@jest/globals';
import { loggedError } from './loggedError.ts';

test('a failure of the database is logged by its codes, without the values that its message quotes', () => {
  const error = Object.assign(new Error('Raw query failed. Message: `invalid input syntax: "hunter2"`'), {
    name: 'PrismaClientKnownRequestError',
    code: 'P2010',
    meta: { driverAdapterError: { cause: { originalCode: '22P02', originalMessage: 'invalid: "hunter2"' } } },
  });
  const logged = loggedError(new Error('outer', { cause: error }));
  expect(JSON.stringify(logged)).not.toContain('hunter2');
  expect(logged).toMatchObject({ message: 'outer', cause: { code: 'P2010', sqlState: '22P02' } });
  expect(String(logged.stack)).toContain('loggedError.test');
});
