import type { Json } from '../../../domain/json.ts';
import type { ItemStatus } from '../../../domain/queue/itemStatus.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { movedBy } from './history.ts';
import { arrivalAt } from './statusAssignments.ts';

export interface SettledItem {
  /** The new status; if refused, the current one. */
  status: string;
  /** repeated: an earlier try of this execution did it. refused: the item is not (any longer) this execution's. */
  outcome: 'settled' | 'repeated' | 'refused';
}

export interface Settler {
  workspaceId: string;
  executionId: string;
}

/** Undefined if the workspace has no such item. */
export async function completeItem(database: Database, by: Settler, itemId: string): Promise<SettledItem | undefined> {
  return settle(database, by, itemId, 'COMPLETED', arrivalAt('COMPLETED'));
}

/** Returns the item to the queue until `until`, without spending a retry. */
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

/** Moves the item to RETRYING while retries remain, else to FAILED. */
export async function failTakenItem(
  database: Database,
  { workspaceId, executionId }: Settler,
  itemId: string,
  error: { message: string; code?: string; details?: Json },
): Promise<SettledItem | undefined> {
  const [row] = await database.$queryRaw<SettledItem[]>`
    WITH present AS MATERIALIZED (
      SELECT id, status, execution_id, moved_by FROM queue_items
      WHERE id = ${itemId}::uuid AND workspace_id = ${workspaceId}::uuid FOR NO KEY UPDATE
    ), moved AS MATERIALIZED (
      SELECT f.id, f.status FROM fail_queue_items(${workspaceId}::uuid,
        ARRAY(SELECT id FROM present WHERE execution_id = ${executionId}::uuid), ${JSON.stringify(error)}::jsonb,
        ${executionId}::uuid, jsonb_build_object('type', 'execution', 'id', ${executionId}::text)) f
    )
    ${outcome(executionId, ['RETRYING', 'FAILED'])}`;
  return row;
}

async function settle(
  database: Database,
  { workspaceId, executionId }: Settler,
  itemId: string,
  status: ItemStatus,
  set: readonly Prisma.Sql[],
): Promise<SettledItem | undefined> {
  const moved = [...set, ...movedBy({ type: 'execution', id: executionId }), Prisma.sql`updated_at = now()`];
  const [row] = await database.$queryRaw<SettledItem[]>`
    WITH present AS MATERIALIZED (
      SELECT id, status, execution_id, moved_by FROM queue_items
      WHERE id = ${itemId}::uuid AND workspace_id = ${workspaceId}::uuid FOR NO KEY UPDATE
    ), moved AS (
      UPDATE queue_items t SET ${Prisma.join(moved)} FROM present p
      WHERE t.id = p.id AND p.status = 'PROCESSING' AND p.execution_id = ${executionId}::uuid
      RETURNING t.id, t.status
    )
    ${outcome(executionId, [status])}`;
  return row;
}

/** A move of an earlier try is known from the locked row, or from the history if others have taken the item since. */
function outcome(executionId: string, to: readonly ItemStatus[]): Prisma.Sql {
  const statuses = Prisma.sql`ANY (${[...to]}::text[])`;
  const by = Prisma.sql`jsonb_build_object('type', 'execution', 'id', ${executionId}::text)`;
  return Prisma.sql`
    SELECT coalesce(m.status, r.status, p.status) AS status, CASE WHEN m.id IS NOT NULL THEN 'settled'
      WHEN r.status IS NOT NULL THEN 'repeated' ELSE 'refused' END AS outcome
    FROM present p LEFT JOIN moved m ON m.id = p.id LEFT JOIN LATERAL (
      SELECT p.status WHERE m.id IS NULL AND p.status = ${statuses} AND p.moved_by = ${by}
      UNION ALL (SELECT h."to" FROM queue_item_moves h
        WHERE m.id IS NULL AND h.item_id = p.id AND h."to" = ${statuses} AND h.by = ${by} ORDER BY h.ordinal DESC LIMIT 1)
      LIMIT 1
    ) r ON true`;
}
