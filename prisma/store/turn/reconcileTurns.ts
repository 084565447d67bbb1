import type { TurnRef } from '../../../domain/agent/turnCalls.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { ago, anyDue, claimableIds, type DueCondition, type DueRows, inBuckets } from '../dueRows.ts';

export interface RunningTurn extends TurnRef {
  /** The engine has started it: its first model call was opened. */
  hasBegun: boolean;
  stopRequested: boolean;
}

const RUNNING_TURN = Prisma.sql`r.id AS "runId", r.workspace_id AS "workspaceId", r.begun_at IS NOT NULL AS "hasBegun",
  r.stop_requested_at IS NOT NULL AS "stopRequested"`;

function openTurns(ageMs: number): DueRows {
  return {
    table: Prisma.sql`task_runs`,
    waiting: Prisma.sql`status = 'RUNNING'`,
    time: Prisma.sql`reconciled_at`,
    until: ago(ageMs),
  };
}

/** Those that the engine has not begun, or that were asked to stop and still run. */
const unsentTurns = (ageMs: number): DueRows => ({
  ...openTurns(ageMs),
  wanted: Prisma.sql`(begun_at IS NULL OR stop_requested_at IS NOT NULL)`,
});

export const anyUnsentTurn = (ageMs: number, buckets: readonly number[]): DueCondition =>
  anyDue(unsentTurns(ageMs), buckets);

export function claimUnsentTurns(
  database: Database,
  ageMs: number,
  buckets: readonly number[],
  limit: number,
): Promise<RunningTurn[]> {
  return claim(database, unsentTurns(ageMs), buckets, limit);
}

export const anyOpenTurn = (ageMs: number, buckets: readonly number[]): DueCondition =>
  anyDue(openTurns(ageMs), buckets);

export function claimOpenTurns(
  database: Database,
  ageMs: number,
  buckets: readonly number[],
  limit: number,
): Promise<RunningTurn[]> {
  return claim(database, openTurns(ageMs), buckets, limit);
}

function claim(database: Database, due: DueRows, buckets: readonly number[], limit: number): Promise<RunningTurn[]> {
  return database.$queryRaw<RunningTurn[]>`
    UPDATE task_runs r SET reconciled_at = now() WHERE r.id = ANY (${claimableIds(due, buckets, limit)})
    RETURNING ${RUNNING_TURN}`;
}

const abandoned = (buckets: readonly number[]) => Prisma.sql`
    FROM task_runs r JOIN executions e ON e.id = r.parent_execution_id
    WHERE r.status IN ('QUEUED', 'RUNNING', 'NEEDS_APPROVAL') AND r.parent_execution_id IS NOT NULL AND r.stop_requested_at IS NULL
      AND e.stopped_at IS NOT NULL AND ${inBuckets(buckets, Prisma.sql`r.workspace_id`)}`;

export const anyAbandonedTurn = (buckets: readonly number[]): DueCondition =>
  Prisma.sql`EXISTS (SELECT ${abandoned(buckets)})`;

export function abandonedTurns(database: Database, buckets: readonly number[], limit: number): Promise<TurnRef[]> {
  return database.$queryRaw<TurnRef[]>`
    SELECT r.id AS "runId", r.workspace_id AS "workspaceId" ${abandoned(buckets)} LIMIT ${limit}::int`;
}

/**
 * Deletes those of turns that ended `ageMs` ago, unless a turn continues their message; the stored message replaces
 * them. Also deletes MCP tool lists, unless the message waits for an approval.
 */
export async function forgetOldChunks(database: Database, ageMs: number, limit: number): Promise<number> {
  // Raw: sums and arrays, because the planner overestimates the rows: EXISTS or joins would read whole tables.
  const [row] = await database.$queryRaw<{ count: number }[]>`
    WITH old AS (
      SELECT r.id, r.task_id, r.message_id, m.waits
      FROM task_runs r CROSS JOIN LATERAL (
        SELECT bool_or(o.status = 'NEEDS_APPROVAL') AS waits, bool_or(o.status IN ('QUEUED', 'RUNNING')) AS goes_on
        FROM task_runs o WHERE o.task_id = r.task_id AND o.message_id = r.message_id) m
      WHERE r.finished_at < ${ago(ageMs)} AND r.forgotten_at IS NULL AND NOT m.goes_on
      ORDER BY r.finished_at LIMIT ${limit}::int
    ), gone AS (
      DELETE FROM run_chunks c WHERE c.run_id = ANY (ARRAY(SELECT id FROM old))
    ), forgotten AS (
      UPDATE task_runs u SET forgotten_at = now(),
        mcp_tools = CASE WHEN u.id = ANY (ARRAY(SELECT id FROM old WHERE waits)) THEN u.mcp_tools END
      WHERE u.id = ANY (ARRAY(SELECT id FROM old))
    ), unlisted AS (
      UPDATE task_runs e SET mcp_tools = NULL FROM old
      WHERE NOT old.waits AND e.task_id = old.task_id AND e.message_id = old.message_id
        AND e.task_id = ANY (ARRAY(SELECT task_id FROM old)) AND e.forgotten_at IS NOT NULL AND e.mcp_tools IS NOT NULL
    )
    SELECT count(*)::int AS count FROM old`;
  return row?.count ?? 0;
}
