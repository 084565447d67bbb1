import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { checkListQuery, type ListQuery } from '../resourceQuery.ts';
import { listedRows } from '../rows.ts';
import { ENDED } from './endedStatus.ts';
import { EXECUTION } from './resource.ts';

const UNTRIED = Prisma.sql`NOT EXISTS (SELECT FROM executions r WHERE r.retry_of_id = t.id)`;

/** The executions that match a filter and are eligible for the operation. */
const BULK_TARGETS = {
  open: Prisma.sql`t.status NOT IN ${ENDED}`,
  /** Failed by themselves, and not retried yet. */
  failed: Prisma.sql`t.status IN ('FAILED', 'TIMED_OUT') AND ${UNTRIED}`,
  /** The same, with cancelled executions. */
  failedOrCancelled: Prisma.sql`t.status IN ('FAILED', 'TIMED_OUT', 'CANCELLED') AND ${UNTRIED}`,
} as const;
export type BulkTarget = keyof typeof BULK_TARGETS;

/** How many match, and the ids of the first that started, at most `limit`. Throws VALIDATION_FAILED for the filter. */
export async function matchExecutions(
  database: Database,
  viewer: Viewer,
  query: Pick<ListQuery, 'filterBy' | 'includeType'>,
  target: BulkTarget,
  limit: number,
): Promise<{ matched: number; executionIds: string[] }> {
  const { conditions, flags } = checkListQuery(EXECUTION, viewer, query);
  const where = listedRows(EXECUTION, viewer, { flags, conditions: [...conditions, BULK_TARGETS[target]] });
  // Raw: the WHERE of the list; counted and cut in one pass.
  const [row] = await database.$queryRaw<{ matched: number; executionIds: string[] }[]>`
    WITH matching AS MATERIALIZED (SELECT t.id, t.started_at FROM ${EXECUTION.table} t WHERE ${where})
    SELECT (SELECT count(*)::int FROM matching) AS matched,
      ARRAY(SELECT id::text FROM matching ORDER BY started_at, id LIMIT ${limit}::int) AS "executionIds"`;
  if (!row) throw new Error('an aggregate without a row');
  return row;
}
