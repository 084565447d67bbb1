import type { Database } from '../../client.ts';

/**
 * Deletes at most `limit` items of all workspaces that ended `days` days ago. Completing or cancelling a failed item
 * keeps the time of its failure as its end. Several processes may run it at once.
 */
export async function deleteOldItems(database: Database, days: number, limit: number): Promise<number> {
  // Raw: queue by queue, like the index of ends: one over all queues would cost every move of an item.
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
