import { somePart } from './errorParts.ts';

/** SQLSTATE of the driver (`code`) and of Prisma's adapter (`originalCode`). */
const UNIQUE_VIOLATION = '23505';

/**
 * Whether a statement failed because another row has the same unique values: of Prisma's typed client, of `$queryRaw`, or
 * of the driver (rowsOf).
 */
export function isUniqueViolation(error: unknown): boolean {
  return somePart(error, ({ code, originalCode }) => code === UNIQUE_VIOLATION || originalCode === UNIQUE_VIOLATION);
}
