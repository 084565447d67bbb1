import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { type DueCondition, inBuckets } from '../dueRows.ts';
import type { WorkflowHead } from '../workflow/findWorkflow.ts';

/** Lists the longest waiting first; none if the queue is inactive or full, so that no turn is lost. */
export async function readConsumers(database: Database, workspaceId: string, queueId: string): Promise<WorkflowHead[]> {
  return rowsOf<WorkflowHead>(
    database,
    Prisma.sql`
    SELECT w.id, w.workspace_id AS "workspaceId", w.project_id AS "projectId", w.name, w.is_active AS "isActive",
      w.is_internal AS "isInternal", w.timeout_ms::float8 AS "timeoutMs", w.version_id AS "versionId"
    FROM queue_consumers c JOIN queues q ON q.id = c.queue_id JOIN workflows w ON w.id = c.workflow_id
    WHERE c.queue_id = ${queueId}::uuid AND c.workspace_id = ${workspaceId}::uuid
      AND q.is_active AND q.deleted_at IS NULL AND w.is_active
      AND q.max_concurrent > (SELECT count(*) FROM executions e WHERE e.queue_id = q.id AND e.stopped_at IS NULL)
    ORDER BY c.served_at NULLS FIRST, w.created_at, w.id`,
  );
}

export interface ReadyQueue {
  workspaceId: string;
  queueId: string;
}

const drained = (buckets: readonly number[]) => Prisma.sql`q.is_active AND q.deleted_at IS NULL
      AND ${inBuckets(buckets, Prisma.sql`q.workspace_id`)}
      AND EXISTS (SELECT FROM queue_consumers c JOIN workflows w ON w.id = c.workflow_id
        WHERE c.queue_id = q.id AND w.is_active AND NOT w.is_paused)`;
const IS_READY = Prisma.sql`EXISTS (SELECT FROM queue_items i WHERE i.queue_id = q.id AND i.ready_rank IS NOT NULL)`;

/** Whether a drained queue has ready items: one index step per queue. */
export const anyReadyQueue = (buckets: readonly number[]): DueCondition =>
  Prisma.sql`EXISTS (SELECT FROM queues q WHERE ${drained(buckets)} AND ${IS_READY})`;

/** Those with ready items among the next `limit` after `after`, by id. `last`: where to continue; absent at the end. */
export async function readReadyQueues(
  database: Database,
  { after, buckets, limit }: { after: string; buckets: readonly number[]; limit: number },
): Promise<{ ready: ReadyQueue[]; last?: string }> {
  const rows = await database.$queryRaw<(ReadyQueue & { isReady: boolean })[]>`
    SELECT q.workspace_id AS "workspaceId", q.id AS "queueId",
      ${IS_READY} AS "isReady"
    FROM queues q
    WHERE q.id > ${after}::uuid AND ${drained(buckets)}
    ORDER BY q.id LIMIT ${limit}::int`;
  const ready = rows.filter(({ isReady }) => isReady).map(({ workspaceId, queueId }) => ({ workspaceId, queueId }));
  const last = rows.length === limit ? rows.at(-1)?.queueId : undefined;
  return { ready, ...(last === undefined ? {} : { last }) };
}
