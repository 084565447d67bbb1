import { someSqlState } from './sqlState.ts';

/**
 * SQLSTATE: class 22 is what a value is, class 54 is how much of it there is, class 23 is what stands against it in other
 * rows, class P0 is what a trigger of the database says of it.
 */
export const OF_THE_DATA = /^(22|23|54|P0)/;

/** Whether the database refuses what a statement brings: it will again, however often it is tried. */
export function isDataRefused(error: unknown): boolean {
  return someSqlState(error, (sqlState) => OF_THE_DATA.test(sqlState));
}
