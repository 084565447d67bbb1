import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { recordset } from '../bulkRows.ts';
import { ago, type DueCondition, inBuckets } from '../dueRows.ts';

/** A step that waits for a connection to be authorized again, or for the approval of an agent's tool call. */
export interface StepWait {
  executionId: string;
  nodeId: string;
  /** '' at the top. */
  iteration: string;
  /** The waiting workflow, if it is not the execution's own. */
  host: string | null;
}

/** Must run before the step is WAITING, so that authorizing the connection cannot miss it. */
export async function noteWait(
  database: Database,
  workspaceId: string,
  { executionId, nodeId, iteration, host }: StepWait,
  connectionId: string,
): Promise<void> {
  // Raw: the database's clock. A step waits for one connection, which another attempt may replace.
  await database.$executeRaw`
    WITH replaced AS (
      DELETE FROM step_waits w WHERE w.execution_id = ${executionId}::uuid AND w.workspace_id = ${workspaceId}::uuid
        AND w.node_id = ${nodeId} AND w.iteration = ${iteration} AND w.kind = 'connection'
        AND w.awaited <> ${connectionId}::uuid
    )
    INSERT INTO step_waits (execution_id, node_id, iteration, workspace_id, kind, awaited, host)
    SELECT e.id, ${nodeId}, ${iteration}, e.workspace_id, 'connection', ${connectionId}::uuid, ${host} FROM executions e
    WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${workspaceId}::uuid
    ON CONFLICT (execution_id, node_id, iteration, awaited)
      DO UPDATE SET host = excluded.host, signalled_at = now()`;
}

export async function forgetWait(
  database: Database,
  workspaceId: string,
  { executionId, nodeId, iteration }: Omit<StepWait, 'host'>,
): Promise<void> {
  await database.stepWait.deleteMany({ where: { executionId, nodeId, iteration, workspaceId } });
}

export async function dueNow(database: Database, workspaceId: string, connectionId: string): Promise<void> {
  await database.stepWait.updateMany({
    where: { awaited: connectionId, workspaceId },
    data: { signalledAt: new Date(0) },
  });
}

export async function isApprovalAwaited(
  database: Database,
  workspaceId: string,
  { executionId, nodeId, iteration }: Omit<StepWait, 'host'>,
): Promise<boolean> {
  const [row] = await database.$queryRaw<{ found: boolean }[]>`
    SELECT EXISTS (SELECT FROM step_waits w JOIN task_runs r ON r.id = w.awaited AND r.workspace_id = w.workspace_id
      WHERE w.execution_id = ${executionId}::uuid AND w.workspace_id = ${workspaceId}::uuid AND w.node_id = ${nodeId}
        AND w.iteration = ${iteration} AND w.kind = 'approval' AND r.status = 'NEEDS_APPROVAL') AS found`;
  return row?.found ?? false;
}

export interface ClaimedWait extends StepWait {
  kind: 'connection' | 'approval';
  awaited: string;
  /** Null if the connection was deleted, which the step reports. */
  connectionStatus: 'connected' | 'needsReconnect' | null;
  /** The turn that called the waiting agent and also waits for the answer. */
  callerRunId: string | null;
  isOver: boolean;
}

/** Selects the waits for a connection, for the turns of the task of a turn, or of buckets. */
export type WhichWaits = { connectionId: string } | { runId: string } | { buckets: readonly number[] };

const unseenFor = (ageMs: number) => Prisma.sql`signalled_at <= ${ago(ageMs)}`;

export const anyWait = (ageMs: number, buckets: readonly number[]): DueCondition =>
  Prisma.sql`EXISTS (SELECT FROM step_waits WHERE ${unseenFor(ageMs)} AND ${inBuckets(buckets)})`;

function isChosen(which: WhichWaits): Prisma.Sql {
  if ('buckets' in which) return inBuckets(which.buckets);
  if ('connectionId' in which) return Prisma.sql`awaited = ${which.connectionId}::uuid`;
  return Prisma.sql`awaited = ANY (ARRAY(
    SELECT o.id FROM task_runs r JOIN task_runs o ON o.task_id = r.task_id WHERE r.id = ${which.runId}::uuid))`;
}

export async function claimWaits(
  database: Database,
  { ageMs, limit, ...which }: WhichWaits & { ageMs: number; limit: number },
): Promise<ClaimedWait[]> {
  return rowsOf<ClaimedWait>(
    database,
    Prisma.sql`
    UPDATE step_waits w SET signalled_at = now() FROM (
      SELECT execution_id, node_id, iteration, awaited FROM step_waits
      WHERE ${isChosen(which)} AND ${unseenFor(ageMs)}
      ORDER BY signalled_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED) due
    WHERE w.execution_id = due.execution_id AND w.node_id = due.node_id AND w.iteration = due.iteration
      AND w.awaited = due.awaited
    RETURNING w.execution_id AS "executionId", w.node_id AS "nodeId", w.iteration, w.host, w.kind, w.awaited,
      (SELECT c.status FROM connections c WHERE c.id = w.awaited AND c.workspace_id = w.workspace_id)
        AS "connectionStatus",
      (SELECT r.parent_run_id FROM task_runs r WHERE r.id = w.awaited AND r.workspace_id = w.workspace_id)
        AS "callerRunId",
      EXISTS (SELECT FROM execution_steps s WHERE s.execution_id = w.execution_id AND s.node_id = w.node_id
        AND s.iteration = w.iteration AND s.status IN ('COMPLETED', 'FAILED', 'CANCELLED')) AS "isOver"`,
  );
}

export async function deleteWaits(database: Database, waits: readonly ClaimedWait[]): Promise<void> {
  if (waits.length === 0) return;
  const gone = recordset(waits, { executionId: 'uuid', nodeId: 'text', iteration: 'text', awaited: 'uuid' });
  await database.$executeRaw(Prisma.sql`
    DELETE FROM step_waits w USING ${gone}
    WHERE w.execution_id = r."executionId" AND w.node_id = r."nodeId" AND w.iteration = r.iteration
      AND w.awaited = r.awaited`);
}

const WAITING_STEPS = Prisma.sql`step_waits w
  JOIN execution_steps s ON s.execution_id = w.execution_id AND s.node_id = w.node_id AND s.iteration = w.iteration`;

/** A FROM with its WHERE: steps of execution `t` that wait for connection `c`. */
export const CONNECTION_WAITS_OF_EXECUTION = Prisma.sql`${WAITING_STEPS}
  LEFT JOIN connections c ON c.id = w.awaited AND c.workspace_id = w.workspace_id
  WHERE w.execution_id = t.id AND w.kind = 'connection' AND s.status = 'WAITING'`;

/** A FROM with its WHERE: steps of execution `t` that wait for an approval of turn `r`. */
export const APPROVAL_WAITS_OF_EXECUTION = Prisma.sql`${WAITING_STEPS}
  JOIN task_runs r ON r.id = w.awaited AND r.workspace_id = w.workspace_id
  WHERE w.execution_id = t.id AND w.kind = 'approval' AND s.status = 'WAITING' AND r.status = 'NEEDS_APPROVAL'`;

export const WAITS_FOR_APPROVAL = 'waits for an approval';

/** The turn whose approval step `s` waits for, as JSON {agentId, taskId, runId}; null if it waits for none. */
export const AWAITED_APPROVAL = Prisma.sql`CASE WHEN s.status = 'WAITING' THEN (
  SELECT json_build_object('agentId', k.agent_id, 'taskId', k.client_id, 'runId', r.id)
  FROM step_waits w JOIN task_runs r ON r.id = w.awaited AND r.workspace_id = w.workspace_id JOIN tasks k ON k.id = r.task_id
  WHERE w.execution_id = s.execution_id AND w.node_id = s.node_id AND w.iteration = s.iteration AND w.kind = 'approval'
    AND r.status = 'NEEDS_APPROVAL' ORDER BY r.finished_at LIMIT 1) END`;
