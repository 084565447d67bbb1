import { Prisma } from '../../generated/client.ts';

export interface ReadyOptions {
  limit: number;
  leastPriority?: number | undefined;
  /** RETRYING only; default: PENDING too. */
  only?: 'RETRYING' | undefined;
}

/**
 * Higher priority first, then older, from the index of ready items. Due items that promoteDue has not yet added are few
 * and come from their own index, as in claim_queue_items. The caller checks whether the queue is active.
 */
export function readyItems(workspaceId: string, queueId: Prisma.Sql, options: ReadyOptions): Prisma.Sql {
  const { limit, leastPriority, only } = options;
  const conditions = Prisma.join(
    [
      Prisma.sql`i.workspace_id = ${workspaceId}::uuid AND i.queue_id = ${queueId}`,
      ...(only ? [Prisma.sql`i.status = 'RETRYING'`] : []),
    ],
    ' AND ',
  );
  const least = leastPriority ?? null;
  return Prisma.sql`
    SELECT r.id, r.priority, r.created_at FROM (
      SELECT * FROM (SELECT i.id, i.priority, i.created_at FROM queue_items i
        WHERE ${conditions} AND i.ready_rank IS NOT NULL AND i.ready_rank >= coalesce(${least}::int, -2147483648)
        ORDER BY i.ready_rank DESC, i.created_at, i.id LIMIT ${limit}::int) in_line
      UNION ALL
      SELECT * FROM (SELECT i.id, i.priority, i.created_at FROM queue_items i
        WHERE ${conditions} AND i.due_at <= now() AND i.priority >= coalesce(${least}::int, -2147483648)
        ORDER BY i.priority DESC, i.created_at, i.id LIMIT ${limit}::int) now_due
    ) r ORDER BY r.priority DESC, r.created_at, r.id LIMIT ${limit}::int`;
}
