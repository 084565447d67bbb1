import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import type { RecordedStep } from './runContext.ts';

/** A forEach that resumes in a retry. */
export interface GoingLoop {
  workspaceId: string;
  executionId: string;
  /** iteration.ts: loopKey. */
  loopKey: string;
  total: number;
}

/** Returns iterations that were not taken over; `from` and `to` count only these. */
export function readRemaining(database: Database, loop: GoingLoop, from: number, to: number): Promise<number[]> {
  return indices(database, loop, Prisma.sql`AND i.is_kept`, from, to - from);
}

export function readUnended(database: Database, loop: GoingLoop, most: number): Promise<number[]> {
  return indices(database, loop, Prisma.empty, 0, most);
}

async function indices(
  database: Database,
  { workspaceId, executionId, loopKey, total }: GoingLoop,
  which: Prisma.Sql,
  skip: number,
  most: number,
): Promise<number[]> {
  const rows = await rowsOf<{ index: number }>(
    database,
    Prisma.sql`
    SELECT n.index FROM generate_series(0, ${total}::int - 1) AS n(index)
    WHERE NOT EXISTS (
      SELECT FROM execution_iterations i
      WHERE i.execution_id = ${executionId}::uuid AND i.workspace_id = ${workspaceId}::uuid
        AND i.loop_key = ${loopKey} AND i.index = n.index ${which})
    ORDER BY n.index OFFSET ${skip}::int LIMIT ${most}::int`,
  );
  return rows.map(({ index }) => index);
}

/** Returns only steps directly inside these iterations. */
export async function readKeptSteps(
  database: Database,
  { workspaceId, executionId, loopKey }: Omit<GoingLoop, 'total'>,
  indices: readonly number[],
): Promise<Map<number, Record<string, RecordedStep>>> {
  const rows = await rowsOf<{ index: number; steps: Record<string, RecordedStep> }>(
    database,
    Prisma.sql`
    SELECT n.index, jsonb_object_agg(s.node_id, jsonb_build_object('id', s.id, 'status', s.status, 'attempt', s.attempt,
      'handle', s.handle, 'output', s.output, 'error', s.error, 'startedAt', floor(extract(epoch FROM s.started_at) * 1000), 'wakeAt', NULL)) AS steps
    FROM unnest(${[...indices]}::int[]) AS n(index)
    JOIN execution_steps s ON s.execution_id = ${executionId}::uuid AND s.workspace_id = ${workspaceId}::uuid
      AND s.iteration = ${loopKey}::text || ':' || n.index
    GROUP BY n.index`,
  );
  return new Map(rows.map(({ index, steps }) => [index, steps]));
}
