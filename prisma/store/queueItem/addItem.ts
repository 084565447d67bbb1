import type { Json, JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { dueAt } from './arrival.ts';
import type { Settler } from './settleItems.ts';

export interface AddedItem {
  /** Follows from the step: a try that is repeated meets its own item. */
  id: string;
  externalId?: string | undefined;
  data: Json;
  metadata: JsonObject;
  priority: number;
  scheduledFor?: Date | undefined;
  maxRetries?: number | undefined;
  /** Of an item with the same externalId: it stays as it is, or takes what is given here where it has not begun or failed. */
  duplicates: 'skip' | 'update';
}

export interface AddedAs {
  id: string;
  status: string;
  isNew: boolean;
}

/** Undefined where the workspace has no such queue, or has deleted it. */
export async function addItem(
  database: Database,
  { workspaceId, executionId }: Settler,
  queueId: string,
  item: AddedItem,
): Promise<AddedAs | undefined> {
  const by = JSON.stringify({ type: 'execution', id: executionId });
  const given = JSON.stringify({ data: item.data, metadata: item.metadata });
  // Raw: of those that come with the same externalId at once one is new, and the queue is there when it is written.
  for (;;) {
    const [row] = await database.$queryRaw<(Omit<AddedAs, 'id'> & { hasQueue: boolean; id: string | null })[]>`
      WITH queue AS (
        SELECT id FROM queues WHERE id = ${queueId}::uuid AND workspace_id = ${workspaceId}::uuid AND deleted_at IS NULL
      ), made AS (
        INSERT INTO queue_items (id, workspace_id, queue_id, external_id, data, metadata, priority, scheduled_for, due_at,
          max_retries, created_by)
        SELECT ${item.id}::uuid, ${workspaceId}::uuid, queue.id, ${item.externalId ?? null}, g.value -> 'data',
          g.value -> 'metadata', ${item.priority}::int, s.at, ${dueAt(Prisma.sql`s.at`)},
          ${item.maxRetries ?? null}::int, ${by}::jsonb
        FROM queue, (SELECT ${given}::jsonb AS value) g, (SELECT ${item.scheduledFor ?? null}::timestamptz(3) AS at) s
        ON CONFLICT DO NOTHING RETURNING id, status
      ), present AS (
        SELECT i.id, i.status FROM queue_items i JOIN queue ON queue.id = i.queue_id
        WHERE NOT EXISTS (SELECT FROM made) AND (i.id = ${item.id}::uuid OR i.external_id = ${item.externalId ?? null})
      ), updated AS (
        UPDATE queue_items i SET data = g.value -> 'data', metadata = g.value -> 'metadata', priority = ${item.priority}::int,
          updated_at = now()
        FROM present p, (SELECT ${given}::jsonb AS value) g
        WHERE i.id = p.id AND ${item.duplicates === 'update'}::boolean AND i.status IN ('PENDING', 'RETRYING', 'FAILED')
          AND i.id <> ${item.id}::uuid
        RETURNING i.id
      )
      SELECT EXISTS (SELECT FROM queue) AS "hasQueue", r.id, r.status, r."isNew"
      FROM (VALUES (1)) one LEFT JOIN (
        SELECT id, status, true AS "isNew" FROM made
        UNION ALL SELECT id, status, id = ${item.id}::uuid AS "isNew" FROM present
      ) r ON true`;
    if (!row?.hasQueue) return undefined;
    // Another's item of the same externalId that this statement's snapshot does not show yet: it is there the next time.
    if (row.id !== null) return { id: row.id, status: row.status, isNew: row.isNew };
  }
}
