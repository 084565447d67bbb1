import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

export interface ReadyQueue {
  workspaceId: string;
  queueId: string;
  items: number;
}

/**
 * Puts items whose time has come into the line of their queues, at most `limit`, the longest due first; of every
 * workspace: the reconciler's, and of whoever wakes for a time. A trigger tells that they are ready. Harmless when done twice.
 */
export async function promoteDue(database: Database, limit: number): Promise<ReadyQueue[]> {
  // Raw: a batch that no other process has its hands on.
  return rowsOf<ReadyQueue>(
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
