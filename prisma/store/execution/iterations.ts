import type { IterationError } from '../../../domain/execution/stepRecord.ts';
import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

/** How an iteration of a loop has ended. */
export interface RecordedIteration {
  index: number;
  status: 'COMPLETED' | 'FAILED';
  output: Json;
  error: IterationError | null;
}

/** Iterations of a loop (iteration.ts: loopKey) that have ended, from `from` on and before `to`. */
export interface IterationRange {
  workspaceId: string;
  executionId: string;
  loopKey: string;
  from?: number;
  to: number;
}

/**
 * In order; or, where their outputs and errors have more than `mostBytes` as Postgres writes them, how many they have:
 * then none of them is read. Postgres puts a space behind each colon and comma, and writes the digits of large numbers out.
 */
export async function readIterations(
  database: Database,
  range: IterationRange,
  mostBytes: number,
): Promise<RecordedIteration[] | { bytes: number }> {
  // Raw: reads a range only if its size fits, in one statement.
  const rows = await rowsOf<RecordedIteration>(
    database,
    Prisma.sql`
    SELECT index, status, output, error FROM execution_iterations
    WHERE ${inRange(range)} AND (${sizeOf(range)}) <= ${mostBytes}::bigint
    ORDER BY index`,
  );
  if (rows.length > 0 || (range.from ?? 0) >= range.to) return rows;
  // A size per row made the statement a third slower, and hardly any loop is too large.
  // Raw: the database sums the sizes.
  const [size] = await rowsOf<{ bytes: number }>(database, Prisma.sql`SELECT (${sizeOf(range)})::float8 AS bytes`);
  return size && size.bytes > mostBytes ? size : rows;
}

function inRange({ workspaceId, executionId, loopKey, from = 0, to }: IterationRange): Prisma.Sql {
  return Prisma.sql`execution_id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid
    AND loop_key = ${loopKey} AND index >= ${from}::int AND index < ${to}::int`;
}

function sizeOf(range: IterationRange): Prisma.Sql {
  return Prisma.sql`
    SELECT COALESCE(sum(octet_length(output::text)), 0) + COALESCE(sum(octet_length(error::text)), 0)
    FROM execution_iterations WHERE ${inRange(range)}`;
}
