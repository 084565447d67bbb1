import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

export interface DueQueue {
  workspaceId: string;
  queueId: string;
  items: number;
}

/**
 * Makes due items ready, at most `limit`, longest due first, over all workspaces; for the reconciler and the timers. A
 * trigger notifies the workers. Idempotent.
 */
export async function promoteDue(database: Database, limit: number): Promise<DueQueue[]> {
  // Raw: a batch that no other process has its hands on.
  return rowsOf<DueQueue>(
    database,
    Prisma.sql`
    WITH due AS (
      SELECT id FROM queue_items WHERE due_at <= now() ORDER BY due_at LIMIT ${limit}::int FOR NO KEY UPDATE SKIP LOCKED
    ), promoted AS (
      UPDATE queue_items i SET due_at = NULL FROM due WHERE i.id = due.id RETURNING i.workspace_id, i.queue_id
    )
    SELECT workspace_id AS "workspaceId", queue_id AS "queueId", count(*)::int AS items FROM promoted GROUP BY 1, 2`,
  );
}

/** How long until an item of any workspace is due or its lease ends, milliseconds; undefined where none waits for a time. */
export async function readNextDue(database: Database): Promise<number | undefined> {
  // Raw: the database's own clock says how long it is; one step of an index each.
  const [row] = await database.$queryRaw<{ inMs: number | null }[]>`
    SELECT (extract(epoch FROM least(
      (SELECT min(due_at) FROM queue_items WHERE due_at IS NOT NULL),
      (SELECT min(lease_expires_at) FROM queue_items WHERE lease_expires_at IS NOT NULL)
    ) - now()) * 1000)::float8 AS "inMs"`;
  return row?.inMs ?? undefined;
}
