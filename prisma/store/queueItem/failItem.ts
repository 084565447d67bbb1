import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { claimableIds, type DueRows } from '../dueRows.ts';
import { noneOf } from '../refusals.ts';
import { rowOf } from '../rows.ts';
import type { Actor } from './history.ts';
import type { ItemError } from './itemError.ts';
import { frozenUnlessHeld, type LeaseProof, leaseHolds } from './lease.ts';
import { QUEUE_ITEM } from './resource.ts';

export interface Failed {
  workspaceId: string;
  queueId: string;
  itemId: string;
  status: 'RETRYING' | 'FAILED';
}

/** Fails an item. Undefined if it is not in PROCESSING, or the lease is not the caller's. */
export async function failItem(
  database: Database,
  viewer: Viewer,
  place: { queueId: string; itemId: string },
  error: ItemError,
  { by, lease, errorId }: { by: Actor; lease?: LeaseProof | undefined; errorId: string },
): Promise<Failed | undefined> {
  const scope = { queueId: place.queueId };
  const where = Prisma.sql`${rowOf(QUEUE_ITEM, viewer, place.itemId, { scope })} AND ${noneOf(frozenUnlessHeld(lease ?? { by }))}
    AND ${lease ? leaseHolds(lease) : Prisma.sql`true`}`;
  // Raw: the row is locked first, so the lease is still valid when the function runs.
  const [row] = await rowsOf<Failed>(
    database,
    Prisma.sql`
    WITH own AS MATERIALIZED (SELECT t.id, t.workspace_id FROM queue_items t WHERE ${where} FOR NO KEY UPDATE OF t)
    ${failOwn(error, by, errorId)}`,
  );
  return row;
}

export const ENDED_LEASES: DueRows = {
  table: Prisma.sql`queue_items`,
  waiting: Prisma.sql`lease_expires_at IS NOT NULL`,
  time: Prisma.sql`lease_expires_at`,
  until: Prisma.sql`now()`,
};

/** Fails at most `limit` items whose lease has ended. Each spends a retry, or becomes FAILED if none remains. */
export async function failExpiredLeases(
  database: Database,
  buckets: readonly number[],
  limit: number,
): Promise<Failed[]> {
  const error = { message: 'The lease ran out before the item was finished', code: 'LEASE_EXPIRED' };
  // Raw: a batch that no other process has locked; a lease that is extended meanwhile stays.
  const failed = await rowsOf<Failed>(
    database,
    Prisma.sql`
    WITH own AS MATERIALIZED (
      SELECT id, workspace_id FROM queue_items WHERE id = ANY (${claimableIds(ENDED_LEASES, buckets, limit)})
    ) ${failOwn(error, { type: 'platform' })}`,
  );
  database.observer.leasesExpired(failed.length);
  return failed;
}

function failOwn(error: ItemError, by: Actor, errorId: string | null = null): Prisma.Sql {
  return Prisma.sql`
    SELECT o.workspace_id AS "workspaceId", f.queue_id AS "queueId", f.id AS "itemId", f.status
    FROM (SELECT workspace_id, array_agg(id) AS ids FROM own GROUP BY workspace_id) o,
      fail_queue_items(o.workspace_id, o.ids, ${JSON.stringify(error)}::jsonb, NULL, ${JSON.stringify(by)}::jsonb,
        ${errorId}::uuid) f`;
}
