import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { checkListQuery, type ListQuery } from '../resourceQuery.ts';
import { listedRows } from '../rows.ts';
import { ENDED } from './endedStatus.ts';
import { EXECUTION } from './resource.ts';

const UNTRIED = Prisma.sql`NOT EXISTS (SELECT FROM executions r WHERE r.retry_of_id = t.id)`;

/** A loop of it completed, and items in it failed. Of a loop that a retry kept the loops inside are in the execution before. */
const WITH_FAILED_ITEMS = Prisma.sql`(EXISTS (SELECT FROM execution_steps s WHERE s.workspace_id = t.workspace_id
    AND s.execution_id = t.id AND s.iterations_failed > 0 AND s.status = 'COMPLETED')
  OR t.retry_of_id IS NOT NULL AND EXISTS (SELECT FROM execution_steps k JOIN execution_steps s
      ON s.workspace_id = t.workspace_id AND s.execution_id = k.iterations_in AND s.iterations_failed > 0
    WHERE k.execution_id = t.id AND k.iteration = '' AND s.status = 'COMPLETED'
      AND s.iteration ~>=~ (k.node_id || ':') AND s.iteration ~<~ (k.node_id || ';')))`;

/** The executions that match a filter and are eligible for the operation. */
const BULK_TARGETS = {
  open: Prisma.sql`t.status NOT IN ${ENDED}`,
  /** Failed by themselves, and not retried yet. */
  failed: Prisma.sql`t.status IN ('FAILED', 'TIMED_OUT') AND ${UNTRIED}`,
  /** The same, with cancelled executions. */
  failedOrCancelled: Prisma.sql`t.status IN ('FAILED', 'TIMED_OUT', 'CANCELLED') AND ${UNTRIED}`,
  /** The same, with completed ones that have items that failed. */
  withFailedItems: Prisma.sql`(t.status IN ('FAILED', 'TIMED_OUT', 'CANCELLED')
    OR t.status = 'COMPLETED' AND ${WITH_FAILED_ITEMS}) AND ${UNTRIED}`,
  /** The last two of executions that are named one by one: an earlier retry is no reason against another. */
  named: Prisma.sql`t.status IN ('FAILED', 'TIMED_OUT', 'CANCELLED')`,
  namedWithFailedItems: Prisma.sql`(t.status IN ('FAILED', 'TIMED_OUT', 'CANCELLED')
    OR t.status = 'COMPLETED' AND ${WITH_FAILED_ITEMS})`,
} as const;
export type BulkTarget = keyof typeof BULK_TARGETS;

export interface MatchOptions {
  /** Of ids. */
  limit: number;
  countsFailedItems: boolean;
}

export interface Matched {
  matched: number;
  /** Those of them with items that failed in a loop that completed; 0 where it is not counted. */
  withFailedItems: number;
  executionIds: string[];
}

/** Which are looked at: those that a filter finds, and of these, if given, those with these ids. */
export interface Match extends Pick<ListQuery, 'filterBy' | 'includeType'> {
  executionIds?: readonly string[];
}

/** How many match, and the ids of the first that started, at most `limit`. Throws VALIDATION_FAILED for the filter. */
export async function matchExecutions(
  database: Database,
  viewer: Viewer,
  { executionIds, ...query }: Match,
  target: BulkTarget,
  { limit, countsFailedItems }: MatchOptions,
): Promise<Matched> {
  const { conditions, flags } = checkListQuery(EXECUTION, viewer, query);
  const where = listedRows(EXECUTION, viewer, {
    flags,
    conditions: [
      ...conditions,
      BULK_TARGETS[target],
      ...(executionIds === undefined ? [] : [Prisma.sql`t.id = ANY (${executionIds}::uuid[])`]),
    ],
  });
  // Raw: the WHERE of the list; counted and cut in one pass.
  const [row] = await database.$queryRaw<Matched[]>`
    WITH matching AS MATERIALIZED (SELECT t.id, t.started_at,
      ${countsFailedItems ? WITH_FAILED_ITEMS : Prisma.sql`false`} AS has_failed_items FROM ${EXECUTION.table} t WHERE ${where})
    SELECT (SELECT count(*)::int FROM matching) AS matched,
      (SELECT count(*)::int FROM matching WHERE has_failed_items) AS "withFailedItems",
      ARRAY(SELECT id::text FROM matching ORDER BY started_at, id LIMIT ${limit}::int) AS "executionIds"`;
  if (!row) throw new Error('an aggregate without a row');
  return row;
}
