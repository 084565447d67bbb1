import { ITEM_STATUSES, type ItemStatus, PRIORITY_BANDS } from '../../../domain/queue/itemStatus.ts';
import { Prisma } from '../../generated/client.ts';

// Counts over queue row `t` read the few rows of queue_item_counts, never the items, and queue_item_ends for a day.

/** An object with all statuses, `{PENDING: 3, …}`. */
export const ITEM_COUNTS = Prisma.sql`(SELECT json_build_object(${perKey(ITEM_STATUSES, 'status')})
  FROM queue_item_counts c WHERE c.queue_id = t.id)`;

export function itemTotal(workspaceId: string, queueId: string, statuses: readonly ItemStatus[]): Prisma.Sql {
  return Prisma.sql`SELECT coalesce(sum(c.items), 0)::int FROM queue_item_counts c
    WHERE c.workspace_id = ${workspaceId}::uuid AND c.queue_id = ${queueId}::uuid AND c.status = ANY(${[...statuses]}::text[])`;
}

const TOTAL = Prisma.sql`coalesce(sum(c.items), 0)::bigint`;
/** Null if nothing was processed. */
const AVERAGE = Prisma.sql`round(sum(c.processing_ms) / nullif(sum(c.processed), 0), 3)::float8`;
const RETRY_RATE = Prisma.sql`coalesce(sum(c.retried) / nullif(sum(c.items), 0), 0)::float8`;

const FIRST_BUCKET = Prisma.sql`queue_item_ends_bucket(now() - interval '24 hours')`;

/** `GET …/stats`. */
export const QUEUE_STATS = Prisma.sql`(SELECT json_build_object('queueId', t.id, 'total', ${TOTAL},
  'counts', json_build_object(${perKey(ITEM_STATUSES, 'status')}))
  FROM queue_item_counts c WHERE c.queue_id = t.id)`;

/** `GET …/items/stats`. */
export const ITEM_STATS = Prisma.sql`(SELECT json_build_object(
  'byStatus', json_build_object(${perKey(ITEM_STATUSES, 'status')}),
  'byPriority', json_build_object(${perKey(PRIORITY_BANDS, 'band')}),
  'averageProcessingMs', ${AVERAGE}, 'retryRate', ${RETRY_RATE})
  FROM queue_item_counts c WHERE c.queue_id = t.id)`;

export const STATISTICS = Prisma.sql`(SELECT json_build_object('total', ${TOTAL},
  'completedLast24h', ${endedOfDay('COMPLETED')}, 'failedLast24h', ${endedOfDay('FAILED')},
  'averageProcessingMs', ${AVERAGE}, 'retryRate', ${RETRY_RATE})
  FROM queue_item_counts c WHERE c.queue_id = t.id)`;

function perKey(keys: readonly string[], column: 'status' | 'band'): Prisma.Sql {
  const parts = keys.map(
    (key) => Prisma.sql`${Prisma.raw(`'${key}'`)},
      coalesce(sum(c.items) FILTER (WHERE c.${Prisma.raw(column)} = ${Prisma.raw(`'${key}'`)}), 0)::bigint`,
  );
  return Prisma.join(parts);
}

function endedOfDay(status: 'COMPLETED' | 'FAILED'): Prisma.Sql {
  const is = Prisma.raw(`'${status}'`);
  return Prisma.sql`((SELECT coalesce(sum(e.items), 0)::bigint FROM queue_item_ends e
      WHERE e.queue_id = t.id AND e.workspace_id = t.workspace_id AND e.status = ${is} AND e.bucket > ${FIRST_BUCKET})
    + (SELECT count(*) FROM queue_items i WHERE i.queue_id = t.id AND i.workspace_id = t.workspace_id AND i.status = ${is}
      AND i.processing_completed_at > now() - interval '24 hours'
      AND i.processing_completed_at < ${FIRST_BUCKET} + interval '5 minutes'))`;
}
