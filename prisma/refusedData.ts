import { someSqlState } from './sqlState.ts';

/** SQLSTATE: class 22 is what a value is, class 54 is how much of it there is. */
const DATA = /^(22|54)/;

/** Whether the database refuses what a statement brings: it will again, however often it is tried. */
export function isDataRefused(error: unknown): boolean {
  return someSqlState(error, (sqlState) => DATA.test(sqlState));
}
