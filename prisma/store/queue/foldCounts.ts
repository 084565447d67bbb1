import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

/**
 * Folds the differences that writes have added, for at most `limit` queues. Sums do not change; of two concurrent folds
 * each takes the rows that it deletes.
 */
export async function foldCounts(database: Database, limit: number): Promise<number> {
  const rows = await rowsOf<{ queueId: string }>(
    database,
    Prisma.sql`
    WITH loose AS (
      SELECT DISTINCT queue_id FROM queue_item_counts WHERE NOT is_sum LIMIT ${limit}::int
    ), taken AS (
      DELETE FROM queue_item_counts c USING loose WHERE c.queue_id = loose.queue_id RETURNING c.*
    ), folded AS (
      INSERT INTO queue_item_counts (workspace_id, queue_id, status, band, items, retried, processed, processing_ms, is_sum)
      SELECT workspace_id, queue_id, status, band, sum(items), sum(retried), sum(processed), sum(processing_ms), true
      FROM taken GROUP BY workspace_id, queue_id, status, band
      HAVING sum(items) <> 0 OR sum(retried) <> 0 OR sum(processed) <> 0 OR sum(processing_ms) <> 0
    )
    SELECT queue_id AS "queueId" FROM loose`,
  );
  return rows.length;
}
