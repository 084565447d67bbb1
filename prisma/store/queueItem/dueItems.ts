import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { anyDue, claimableIds, type DueCondition, type DueRows, either } from '../dueRows.ts';
import { ENDED_LEASES } from './failItem.ts';

export interface DueQueue {
  workspaceId: string;
  queueId: string;
  items: number;
}

const DUE_ITEMS: DueRows = {
  table: Prisma.sql`queue_items`,
  waiting: Prisma.sql`due_at IS NOT NULL`,
  time: Prisma.sql`due_at`,
  until: Prisma.sql`now()`,
};

export const anyDueItem = (buckets: readonly number[]): DueCondition =>
  either(anyDue(DUE_ITEMS, buckets), anyDue(ENDED_LEASES, buckets));

/** Makes at most `limit` due items ready, longest due first. A trigger notifies the workers. Idempotent. */
export async function promoteDue(database: Database, buckets: readonly number[], limit: number): Promise<DueQueue[]> {
  return rowsOf<DueQueue>(
    database,
    Prisma.sql`
    WITH promoted AS (
      UPDATE queue_items i SET due_at = NULL WHERE i.id = ANY (${claimableIds(DUE_ITEMS, buckets, limit)})
      RETURNING i.workspace_id, i.queue_id
    )
    SELECT workspace_id AS "workspaceId", queue_id AS "queueId", count(*)::int AS items FROM promoted GROUP BY 1, 2`,
  );
}

/** Returns the milliseconds until an item of these buckets is due or its lease ends; undefined if none waits. */
export async function readNextDue(database: Database, buckets: readonly number[]): Promise<number | undefined> {
  const first = (time: Prisma.Sql) => Prisma.sql`(SELECT min(d.due) FROM unnest(${[...buckets]}::int[]) b(bucket)
      CROSS JOIN LATERAL (SELECT ${time} AS due FROM queue_items
        WHERE ${time} IS NOT NULL AND workspace_bucket(workspace_id) = b.bucket ORDER BY ${time} LIMIT 1) d)`;
  const [row] = await database.$queryRaw<{ inMs: number | null }[]>`
    SELECT (extract(epoch FROM least(
      ${first(Prisma.sql`due_at`)}, ${first(Prisma.sql`lease_expires_at`)}) - now()) * 1000)::float8 AS "inMs"`;
  return row?.inMs ?? undefined;
}
