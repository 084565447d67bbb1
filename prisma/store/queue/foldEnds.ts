import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

/** Like foldCounts, for at most `limit` five-minute buckets of queues. Returns their number. */
export async function foldEnds(database: Database, limit: number): Promise<number> {
  const rows = await rowsOf<{ queueId: string }>(
    database,
    Prisma.sql`
    WITH loose AS (
      SELECT DISTINCT queue_id, status, bucket FROM queue_item_ends WHERE NOT is_sum LIMIT ${limit}::int
    ), taken AS (
      DELETE FROM queue_item_ends e USING loose l
      WHERE e.queue_id = l.queue_id AND e.status = l.status AND e.bucket = l.bucket RETURNING e.*
    ), folded AS (
      INSERT INTO queue_item_ends (workspace_id, queue_id, status, bucket, items, is_sum)
      SELECT workspace_id, queue_id, status, bucket, sum(items), true
      FROM taken GROUP BY workspace_id, queue_id, status, bucket HAVING sum(items) <> 0
    )
    SELECT queue_id AS "queueId" FROM loose`,
  );
  return rows.length;
}

export async function deleteOldEnds(database: Database, limit: number): Promise<number> {
  return await database.$executeRaw`
    DELETE FROM queue_item_ends WHERE id IN (
      SELECT id FROM queue_item_ends WHERE is_sum AND bucket < queue_item_ends_since() - interval '5 minutes'
      LIMIT ${limit}::int)`;
}
