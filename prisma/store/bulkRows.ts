import { Prisma } from '../generated/client.ts';

/** Rows of one statement: more would hold locks, and the one session of the embedded database, for too long. */
export const BULK_ROWS = 1_000;

export type ColumnType =
  | 'uuid'
  | 'text'
  | 'text[]'
  | 'int'
  | 'bigint'
  | 'float8'
  | 'boolean'
  | 'json'
  | 'jsonb'
  | 'timestamptz';

/**
 * Rows of a request as a relation `r`, for `INSERT … SELECT … FROM` and `UPDATE … FROM`: one parameter, however many rows
 * and columns. `columns` names the members that are taken and their types; a member that is absent is null.
 */
export function recordset(rows: readonly object[], columns: Readonly<Record<string, ColumnType>>): Prisma.Sql {
  const typed = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
  return Prisma.sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(${Prisma.raw(typed.join(', '))})`;
}

/**
 * Passes rows to `write` in batches of BULK_ROWS, one statement after the other, and yields the result of each; only
 * one batch is in memory. Each statement commits by itself: a crash leaves whole batches, so choose the ids of rows
 * first and insert them with ON CONFLICT, and a second try finishes the first.
 */
export async function* bulkRows<Row, Answer>(
  rows: Iterable<Row> | AsyncIterable<Row>,
  write: (some: readonly Row[]) => Promise<Answer>,
): AsyncGenerator<Answer> {
  let some: Row[] = [];
  for await (const row of rows) {
    some.push(row);
    if (some.length < BULK_ROWS) continue;
    yield await write(some);
    some = [];
  }
  if (some.length > 0) yield await write(some);
}
