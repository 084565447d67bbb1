import { Prisma } from '../../generated/client.ts';
import { isoTime } from '../resource.ts';

/** Number of newest entries shown; manual moves are unlimited. */
const HISTORY_ENTRIES = 1_000;

export function errorHistorySql(itemId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT coalesce(json_agg(json_build_object('id', h.id, 'message', h.message, 'code', h.code,
      'details', h.details, 'attempt', h.attempt, 'executionId', h.execution_id, 'by', h.by,
      'at', ${isoTime(Prisma.sql`h.at`)}) ORDER BY h.ordinal), '[]')
    FROM (SELECT * FROM queue_item_errors n WHERE n.item_id = ${itemId}
      ORDER BY n.ordinal DESC LIMIT ${HISTORY_ENTRIES}::int) h)`;
}

export function historySql(itemId: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`(SELECT coalesce(json_agg(json_build_object('from', h."from", 'to', h."to", 'note', h.note,
      'executionId', h.execution_id, 'worker', h.worker, 'by', h.by, 'at', ${isoTime(Prisma.sql`h.at`)})
      ORDER BY h.ordinal), '[]')
    FROM (SELECT * FROM queue_item_moves n WHERE n.item_id = ${itemId}
      ORDER BY n.ordinal DESC LIMIT ${HISTORY_ENTRIES}::int) h)`;
}

/** Somebody ended the processing of row `t` while its execution continues. Excludes a move of the same statement. */
export const WARNING = Prisma.sql`CASE WHEN t.execution_id IS NULL AND t.last_execution_id IS NOT NULL THEN (
  SELECT json_build_object('code', 'EXECUTION_GOES_ON', 'executionId', e.id, 'message', 'Execution ' || e.number
    || ' still works on this item, which was taken out of its hands: that work was not stopped, and its end will not change the item. '
    || 'Where the item is taken again, it is processed twice. Cancel the execution to prevent that.')
  FROM executions e WHERE e.id = t.last_execution_id AND e.workspace_id = t.workspace_id AND e.stopped_at IS NULL
    AND EXISTS (SELECT FROM queue_item_moves taken, LATERAL (
        SELECT n.by FROM queue_item_moves n WHERE n.item_id = t.id AND n.ordinal > taken.ordinal ORDER BY n.ordinal LIMIT 1) next
      WHERE taken.item_id = t.id AND taken."to" = 'PROCESSING' AND taken.by ->> 'id' = e.id::text
        AND next.by ->> 'type' <> 'execution')) END`;

/** The author of a change, shown as `by` in its histories. */
export type Actor = { type: 'user' | 'apiKey' | 'execution'; id: string } | { type: 'platform' };

export interface MoveDetails {
  note?: string | undefined;
  /** The same in each try of a request. */
  id?: string | undefined;
}

/** Returns assignments of actor and details, which a trigger of the migration copies to the history of moves. */
export function movedBy(by: Actor, { note, id }: MoveDetails = {}): Prisma.Sql[] {
  return [
    Prisma.sql`moved_by = ${JSON.stringify(by)}::jsonb`,
    Prisma.sql`moved_note = ${note ?? null}`,
    Prisma.sql`moved_id = ${id ?? null}::uuid`,
  ];
}
