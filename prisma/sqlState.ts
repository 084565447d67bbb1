import { somePart } from './errorParts.ts';

/** Five signs, of the classes that Postgres has. Codes of Node (`EPIPE`) and of Prisma (`P1001`) look otherwise. */
const SQLSTATE = /^([0-5]\w|72|F0|HV|P0|XX)\w{3}$/;

/** Whether it holds for a SQLSTATE that a failure carries, or one that it was made of: `code` is the driver's, `originalCode` Prisma's. */
export function someSqlState(error: unknown, holds: (sqlState: string) => boolean): boolean {
  return somePart(error, ({ code, originalCode }) =>
    [code, originalCode].some((each) => typeof each === 'string' && SQLSTATE.test(each) && holds(each)),
  );
}
