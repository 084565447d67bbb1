import { expect, test } from '@jest/globals';
import { isDatabaseUnavailable, isDataRefused, isStatementRefused } from './databaseErrors.ts';

/** The driver's error, and the same error wrapped by Prisma. */
const bothWays = (sqlState: string) => [
  Object.assign(new Error('refused'), { name: 'DatabaseError', code: sqlState }),
  { code: 'P2010', meta: { driverAdapterError: { cause: { kind: 'postgres', originalCode: sqlState } } } },
];

test.each(['08006', '25006', '28P01', '3D000', '40001', '42P01', '53100', '53300', '57014', '57P03', '58030', 'XX000'])(
  'a database that says %s is away',
  (sqlState) => {
    for (const error of bothWays(sqlState)) expect(isDatabaseUnavailable(error)).toBe(true);
  },
);

test.each(['22P05', '22003', '54000', '23505', '23503', 'P0001'])(
  '%s is of the data: the same at each try',
  (sqlState) => {
    for (const error of bothWays(sqlState)) {
      expect(isDatabaseUnavailable(error)).toBe(false);
      expect(isDataRefused(error)).toBe(true);
    }
  },
);

test('a statement that the data does not fit differs from an absent database', () => {
  for (const error of bothWays('42703')) expect(isStatementRefused(error)).toBe(true);
  for (const error of bothWays('42501')) expect(isStatementRefused(error)).toBe(false);
  for (const error of bothWays('25006')) expect(isStatementRefused(error)).toBe(false);
});

test.each(['EPERM', 'EBUSY', 'P2010', 'P2002', 'ERR_INVALID_ARG_TYPE'])('%s is no SQLSTATE', (code) => {
  expect(isDatabaseUnavailable(Object.assign(new Error('x'), { code }))).toBe(false);
});
