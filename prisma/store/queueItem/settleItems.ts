import type { Json } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { arrivalAt } from './arrival.ts';
import { movedBy } from './history.ts';

/** The result of an item that an execution settles. */
export interface SettledItem {
  status: string;
  /** repeated: an earlier try of this execution did it. refused: it is not this execution's, or not any more. */
  outcome: 'settled' | 'repeated' | 'refused';
}

/** The execution that settles items that it processes. */
export interface Settler {
  workspaceId: string;
  executionId: string;
}

/** Undefined where the workspace has no such item. */
export async function completeItem(database: Database, by: Settler, itemId: string): Promise<SettledItem | undefined> {
  return settle(database, by, itemId, 'COMPLETED', arrivalAt('COMPLETED'));
}

/** Back into the queue, to be taken at `until`; without a retry spent. */
export async function postponeItem(
  database: Database,
  by: Settler,
  itemId: string,
  until: Date,
): Promise<SettledItem | undefined> {
  const time = Prisma.sql`${until}::timestamptz(3)`;
  const set = [...arrivalAt('PENDING', { scheduledFor: time }), Prisma.sql`scheduled_for = ${time}`];
  return settle(database, by, itemId, 'PENDING', set);
}

/** An error of it: RETRYING while retries remain, else FAILED. */
export async function failTakenItem(
  database: Database,
  { workspaceId, executionId }: Settler,
  itemId: string,
  error: { message: string; code?: string; details?: Json },
): Promise<SettledItem | undefined> {
  // Raw: the check that the execution still has the item and the move are one decision.
  const [row] = await database.$queryRaw<SettledItem[]>`
    WITH present AS MATERIALIZED (
      SELECT id, status, execution_id FROM queue_items
      WHERE id = ${itemId}::uuid AND workspace_id = ${workspaceId}::uuid FOR NO KEY UPDATE
    ), failed AS MATERIALIZED (
      SELECT f.id, f.status FROM fail_queue_items(${workspaceId}::uuid,
        ARRAY(SELECT id FROM present WHERE execution_id = ${executionId}::uuid), ${JSON.stringify(error)}::jsonb,
        ${executionId}::uuid, jsonb_build_object('type', 'execution', 'id', ${executionId}::text)) f
    )
    SELECT coalesce(f.status, p.status) AS status, CASE WHEN f.id IS NOT NULL THEN 'settled' WHEN EXISTS (
      SELECT FROM queue_item_errors e WHERE e.item_id = p.id AND e.execution_id = ${executionId}::uuid)
      THEN 'repeated' ELSE 'refused' END AS outcome
    FROM present p LEFT JOIN failed f ON f.id = p.id`;
  return row;
}

async function settle(
  database: Database,
  { workspaceId, executionId }: Settler,
  itemId: string,
  status: string,
  set: readonly Prisma.Sql[],
): Promise<SettledItem | undefined> {
  const moved = [...set, ...movedBy({ type: 'execution', id: executionId }), Prisma.sql`updated_at = now()`];
  // Raw: whether the item is this execution's still and its move are one decision.
  const [row] = await database.$queryRaw<SettledItem[]>`
    WITH present AS MATERIALIZED (
      SELECT id, status, execution_id, moved_by FROM queue_items
      WHERE id = ${itemId}::uuid AND workspace_id = ${workspaceId}::uuid FOR NO KEY UPDATE
    ), moved AS (
      UPDATE queue_items t SET ${Prisma.join(moved)} FROM present p
      WHERE t.id = p.id AND p.status = 'PROCESSING' AND p.execution_id = ${executionId}::uuid
      RETURNING t.id, t.status
    )
    SELECT coalesce(m.status, p.status) AS status, CASE WHEN m.id IS NOT NULL THEN 'settled'
      WHEN p.status = ${status} AND p.moved_by ->> 'id' = ${executionId} THEN 'repeated' ELSE 'refused' END AS outcome
    FROM present p LEFT JOIN moved m ON m.id = p.id`;
  return row;
}
