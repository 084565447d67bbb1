import type { Database } from '../../client.ts';

/**
 * Deletes at most `limit` items that ended `days` days ago or earlier, of every workspace, with their moves, errors and
 * texts; returns their number. A failed item that somebody completes or cancels later has ended when it failed. Safe to
 * run in several processes at once.
 */
export async function deleteOldItems(database: Database, days: number, limit: number): Promise<number> {
  // Raw: a batch that no other process has its hands on. By queue, since the index of ends is: an index over all queues
  // would cost each move of an item, also where items are kept for ever.
  const [row] = await database.$queryRaw<{ count: number }[]>`
    WITH gone AS (DELETE FROM queue_items WHERE id = ANY (ARRAY(
      SELECT old.id FROM queues q CROSS JOIN LATERAL (
        SELECT i.id FROM queue_items i
        WHERE i.queue_id = q.id AND i.status IN ('COMPLETED', 'FAILED', 'CANCELLED')
          AND i.processing_completed_at < now() - make_interval(days => ${days}::int)
        ORDER BY i.processing_completed_at LIMIT ${limit}::int FOR UPDATE SKIP LOCKED) old
      LIMIT ${limit}::int)) RETURNING id)
    SELECT count(*)::int AS count FROM gone`;
  return row?.count ?? 0;
}
