import { Prisma } from '../generated/client.ts';

/** Rows per statement. More would hold locks, and the single session of the embedded database, for too long. */
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

/** Passes rows in one parameter as relation `r` with these columns. An absent member is null. */
export function recordset(rows: readonly object[], columns: Readonly<Record<string, ColumnType>>): Prisma.Sql {
  const typed = Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);
  return Prisma.sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(${Prisma.raw(typed.join(', '))})`;
}

/** Writes batches in sequence, one in memory. Each commits by itself: insert chosen ids with ON CONFLICT. */
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
