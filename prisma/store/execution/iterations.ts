import type { IterationError } from '../../../domain/execution/stepRecord.ts';
import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

export interface RecordedIteration {
  index: number;
  status: 'COMPLETED' | 'FAILED';
  output: Json;
  error: IterationError | null;
}

/** The ended iterations of a loop (iteration.ts: loopKey) in [`from`, `to`). */
export interface IterationRange {
  workspaceId: string;
  executionId: string;
  loopKey: string;
  from?: number;
  to: number;
}

/** Beyond `mostBytes` returns only the size in Postgres' text form, which has spaces after colons and commas. */
export async function readIterations(
  database: Database,
  range: IterationRange,
  mostBytes: number,
): Promise<RecordedIteration[] | { bytes: number }> {
  const rows = await rowsOf<RecordedIteration>(
    database,
    Prisma.sql`
    SELECT index, status, output, error FROM execution_iterations
    WHERE ${inRange(range)} AND (${sizeOf(range)}) <= ${mostBytes}::bigint
    ORDER BY index`,
  );
  if (rows.length > 0 || (range.from ?? 0) >= range.to) return rows;
  // Raw: sums in the database, in a separate statement, because a size per row made the first a third slower.
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
