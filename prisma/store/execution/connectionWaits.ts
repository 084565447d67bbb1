import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { recordset } from '../bulkRows.ts';
import { type DueCondition, inBuckets } from '../dueRows.ts';

/** A step that waits for a connection to be authorized again. */
export interface ConnectionWait {
  executionId: string;
  nodeId: string;
  /** '' at the top. */
  iteration: string;
  /** The workflow that waits, where it is not the execution's own. */
  host: string | null;
}

/** Written before the step's row says WAITING, so that nobody who authorizes the connection overlooks it. */
export async function noteWait(
  database: Database,
  workspaceId: string,
  { executionId, nodeId, iteration, host }: ConnectionWait,
  connectionId: string,
): Promise<void> {
  // Raw: the database's clock says when it was last signalled.
  await database.$executeRaw`
    INSERT INTO connection_waits (execution_id, node_id, iteration, workspace_id, connection_id, host)
    SELECT e.id, ${nodeId}, ${iteration}, e.workspace_id, ${connectionId}::uuid, ${host} FROM executions e
    WHERE e.id = ${executionId}::uuid AND e.workspace_id = ${workspaceId}::uuid
    ON CONFLICT (execution_id, node_id, iteration)
      DO UPDATE SET connection_id = excluded.connection_id, host = excluded.host, signalled_at = now()`;
}

/** The step goes on, or has failed. */
export async function forgetWait(
  database: Database,
  workspaceId: string,
  { executionId, nodeId, iteration }: Omit<ConnectionWait, 'host'>,
): Promise<void> {
  await database.connectionWait.deleteMany({ where: { executionId, nodeId, iteration, workspaceId } });
}

/** Makes all that wait for the connection due at once. */
export async function dueNow(database: Database, workspaceId: string, connectionId: string): Promise<void> {
  await database.connectionWait.updateMany({
    where: { connectionId, workspaceId },
    data: { signalledAt: new Date(0) },
  });
}

export interface ClaimedWait extends ConnectionWait {
  /** Null where the connection is gone: the step says so. */
  connectionStatus: 'connected' | 'needsReconnect' | null;
  /** Its step has ended without it. */
  isOver: boolean;
}

const unseenFor = (ageMs: number) =>
  Prisma.sql`signalled_at <= now() - make_interval(secs => ${ageMs / 1_000}::float8)`;

/** Whether there are waits that nobody has looked at for so long. */
export const anyWait = (ageMs: number, buckets: readonly number[]): DueCondition =>
  Prisma.sql`EXISTS (SELECT FROM connection_waits WHERE ${unseenFor(ageMs)} AND ${inBuckets(buckets)})`;

/** Waits that nobody has looked at for so long, of one connection or of these buckets. Marks them as looked at now. */
export async function claimWaits(
  database: Database,
  {
    ageMs,
    limit,
    ...of
  }: ({ connectionId: string } | { buckets: readonly number[] }) & { ageMs: number; limit: number },
): Promise<ClaimedWait[]> {
  const which = 'connectionId' in of ? Prisma.sql`connection_id = ${of.connectionId}::uuid` : inBuckets(of.buckets);
  // Raw: it claims, for one process each.
  return rowsOf<ClaimedWait>(
    database,
    Prisma.sql`
    UPDATE connection_waits w SET signalled_at = now() FROM (
      SELECT execution_id, node_id, iteration FROM connection_waits
      WHERE ${which} AND ${unseenFor(ageMs)}
      ORDER BY signalled_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED) due
    WHERE w.execution_id = due.execution_id AND w.node_id = due.node_id AND w.iteration = due.iteration
    RETURNING w.execution_id AS "executionId", w.node_id AS "nodeId", w.iteration, w.host,
      (SELECT c.status FROM connections c WHERE c.id = w.connection_id AND c.workspace_id = w.workspace_id)
        AS "connectionStatus",
      EXISTS (SELECT FROM execution_steps s WHERE s.execution_id = w.execution_id AND s.node_id = w.node_id
        AND s.iteration = w.iteration AND s.status IN ('COMPLETED', 'FAILED', 'CANCELLED')) AS "isOver"`,
  );
}

/** Nobody waits there any more. */
export async function deleteWaits(database: Database, waits: readonly ConnectionWait[]): Promise<void> {
  if (waits.length === 0) return;
  const gone = recordset(waits, { executionId: 'uuid', nodeId: 'text', iteration: 'text' });
  // Raw: a set, by the three columns of its key; of every workspace: housekeeping.
  await database.$executeRaw(Prisma.sql`
    DELETE FROM connection_waits w USING ${gone}
    WHERE w.execution_id = r."executionId" AND w.node_id = r."nodeId" AND w.iteration = r.iteration`);
}

/** Steps of execution `t` that wait for a connection; `c` is that. A FROM with its WHERE. */
export const WAITS_OF_EXECUTION = Prisma.sql`connection_waits w
  JOIN execution_steps s ON s.execution_id = w.execution_id AND s.node_id = w.node_id AND s.iteration = w.iteration
  LEFT JOIN connections c ON c.id = w.connection_id AND c.workspace_id = w.workspace_id
  WHERE w.execution_id = t.id AND s.status = 'WAITING'`;
