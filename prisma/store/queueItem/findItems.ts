import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { isoTime } from '../resource.ts';

export interface ItemSearch {
  queueId: string;
  externalId?: string | undefined;
  status?: string | undefined;
  limit: number;
}

/** Undefined if the workspace has no such queue. */
export async function findItems(
  database: Database,
  workspaceId: string,
  search: ItemSearch,
): Promise<Json[] | undefined> {
  const { queueId, externalId, status, limit } = search;
  const conditions = [
    Prisma.sql`t.queue_id = q.id`,
    ...(externalId === undefined ? [] : [Prisma.sql`t.external_id = ${externalId}`]),
    ...(status === undefined ? [] : [Prisma.sql`t.status = ${status}`]),
  ];
  const [row] = await database.$queryRaw<{ items: Json[] }[]>`
    SELECT (
      SELECT coalesce(json_agg(i.item), '[]') FROM (
        SELECT json_build_object('id', t.id, 'externalId', t.external_id, 'status', t.status, 'priority', t.priority,
          'data', t.data, 'metadata', t.metadata, 'retryCount', t.retry_count, 'lastError', t.last_error,
          'createdAt', ${isoTime(Prisma.sql`t.created_at`)}) AS item
        FROM queue_items t WHERE ${Prisma.join(conditions, ' AND ')}
        ORDER BY t.priority DESC, t.created_at, t.id LIMIT ${limit}::int
      ) i) AS items
    FROM queues q WHERE q.id = ${queueId}::uuid AND q.workspace_id = ${workspaceId}::uuid AND q.deleted_at IS NULL`;
  return row?.items;
}
