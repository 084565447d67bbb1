import { isDataRefused } from '../prisma/databaseErrors.ts';

/** Whether it is the data: too much of it for the database, or for a text (RangeError). It fails at each try. */
export function failsAgain(error: unknown): boolean {
  return error instanceof RangeError || isDataRefused(error);
}
