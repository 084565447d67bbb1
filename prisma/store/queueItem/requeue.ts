import type { Viewer } from '../../../domain/access/viewer.ts';
import { REQUEUED_FROM } from '../../../domain/queue/itemMoves.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { noneOf } from '../refusals.ts';
import { checkListQuery } from '../resourceQuery.ts';
import { listedRows } from '../rows.ts';
import { type Actor, movedBy } from './history.ts';
import type { OnceMove } from './moveItem.ts';
import { QUEUE_ITEM } from './resource.ts';
import { arrivalAt } from './statusAssignments.ts';

export const REQUEUE: OnceMove = {
  from: REQUEUED_FROM,
  set: [...arrivalAt('PENDING'), Prisma.sql`retry_count = 0`],
};
const MAY_BE = Prisma.sql`t.status = ANY (${[...REQUEUE.from]}::text[])`;

/** Counts the items, given by ids or by a list filter, that may be requeued, and returns the oldest ones. */
export async function matchRequeued(
  database: Database,
  viewer: Viewer,
  queueId: string,
  chosen: { ids: readonly string[] } | { filterBy: string },
  limit: number,
): Promise<{ matched: number; itemIds: string[] }> {
  const those =
    'ids' in chosen
      ? [Prisma.sql`t.id = ANY (${[...chosen.ids]}::uuid[])`]
      : checkListQuery(QUEUE_ITEM, viewer, { filterBy: chosen.filterBy }).conditions;
  const where = listedRows(QUEUE_ITEM, viewer, { scope: { queueId }, conditions: [...those, MAY_BE] });
  const [row] = await rowsOf<{ matched: number; itemIds: string[] }>(
    database,
    Prisma.sql`
    WITH matching AS MATERIALIZED (SELECT t.id, t.created_at FROM queue_items t WHERE ${where})
    SELECT (SELECT count(*)::int FROM matching) AS matched,
      ARRAY(SELECT id::text FROM matching ORDER BY created_at, id LIMIT ${limit}::int) AS "itemIds"`,
  );
  if (!row) throw new Error('an aggregate without a row');
  return row;
}

/** Requeues in one statement; skips items that others have moved meanwhile. Returns the number of moved items. */
export async function requeueMany(
  database: Database,
  viewer: Viewer,
  queueId: string,
  ids: readonly string[],
  by: Actor,
  moveId: string,
): Promise<number> {
  const conditions = [Prisma.sql`t.id = ANY (${[...ids]}::uuid[])`, MAY_BE, noneOf(QUEUE_ITEM.frozen)];
  const where = listedRows(QUEUE_ITEM, viewer, { scope: { queueId }, conditions });
  // Raw: locks in the order of ids, so that two calls with the same items cannot deadlock.
  const rows = await rowsOf<{ id: string }>(
    database,
    Prisma.sql`
    WITH chosen AS MATERIALIZED (SELECT t.id FROM queue_items t WHERE ${where} ORDER BY t.id FOR UPDATE OF t)
    UPDATE queue_items t SET ${Prisma.join([...REQUEUE.set, ...movedBy(by, { id: moveId })])}, updated_at = now()
    FROM chosen WHERE t.id = chosen.id RETURNING t.id`,
  );
  return rows.length;
}
