import type { Viewer } from '../../../domain/access/viewer.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { checkListQuery, type ListQuery } from '../resourceQuery.ts';
import { listedRows } from '../rows.ts';
import { ACKNOWLEDGED, IS_FAILURE } from './acknowledgement.ts';
import { ENDED } from './endedStatus.ts';
import { EXECUTION } from './resource.ts';

/** An open or COMPLETED retry prevents another one. */
const HAS_LIVE_RETRY = Prisma.sql`EXISTS (SELECT FROM executions r WHERE r.retry_of_id = t.id
  AND r.workspace_id = t.workspace_id AND r.status NOT IN ('FAILED', 'CANCELLED', 'TIMED_OUT'))`;

/** If all retries failed, the newest one matches instead of `t`, so that the work is not done twice. */
const NOT_REPLACED = Prisma.sql`(${HAS_LIVE_RETRY}
  OR NOT EXISTS (SELECT FROM executions r WHERE r.retry_of_id = t.id AND r.workspace_id = t.workspace_id))`;

/** A completed loop has failed items. For a loop that a retry kept, the inner loops are in the execution before. */
const WITH_FAILED_ITEMS = Prisma.sql`(EXISTS (SELECT FROM execution_steps s WHERE s.workspace_id = t.workspace_id
    AND s.execution_id = t.id AND s.iterations_failed > 0 AND s.status = 'COMPLETED')
  OR t.retry_of_id IS NOT NULL AND EXISTS (SELECT FROM execution_steps k JOIN execution_steps s
      ON s.workspace_id = t.workspace_id AND s.execution_id = k.iterations_in AND s.iterations_failed > 0
    WHERE k.execution_id = t.id AND k.iteration = '' AND s.status = 'COMPLETED'
      AND s.iteration ~>=~ (k.node_id || ':') AND s.iteration ~<~ (k.node_id || ';')))`;

const BULK_TARGETS = {
  open: Prisma.sql`t.status NOT IN ${ENDED}`,
  failed: Prisma.sql`${IS_FAILURE} AND ${NOT_REPLACED}`,
  failedOrCancelled: Prisma.sql`t.status IN ('FAILED', 'TIMED_OUT', 'CANCELLED') AND ${NOT_REPLACED}`,
  withFailedItems: Prisma.sql`(t.status IN ('FAILED', 'TIMED_OUT', 'CANCELLED')
    OR t.status = 'COMPLETED' AND ${WITH_FAILED_ITEMS}) AND ${NOT_REPLACED}`,
  unacknowledged: Prisma.sql`${IS_FAILURE} AND NOT ${ACKNOWLEDGED}`,
  /** Executions that the caller named: failed retries do not exclude them. */
  named: Prisma.sql`t.status IN ('FAILED', 'TIMED_OUT', 'CANCELLED')`,
  namedWithFailedItems: Prisma.sql`(t.status IN ('FAILED', 'TIMED_OUT', 'CANCELLED')
    OR t.status = 'COMPLETED' AND ${WITH_FAILED_ITEMS})`,
} as const;
export type BulkTarget = keyof typeof BULK_TARGETS;

export interface MatchOptions {
  limit: number;
  countsFailedItems: boolean;
  skipsRetried?: boolean;
}

export interface Matched {
  matched: number;
  /** Those with a live retry; 0 unless `skipsRetried`. */
  skipped: number;
  /** Those with failed items in a completed loop; 0 if not counted. */
  withFailedItems: number;
  executionIds: string[];
}

export interface Match extends Pick<ListQuery, 'filterBy' | 'includeType'> {
  executionIds?: readonly string[];
}

/** Returns at most `limit` ids, the earliest start first. Throws VALIDATION_FAILED for the filter. */
export async function matchExecutions(
  database: Database,
  viewer: Viewer,
  { executionIds, ...query }: Match,
  target: BulkTarget,
  { limit, countsFailedItems, skipsRetried = false }: MatchOptions,
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
  const [row] = await database.$queryRaw<Matched[]>`
    WITH matching AS MATERIALIZED (SELECT t.id, t.started_at,
      ${countsFailedItems ? WITH_FAILED_ITEMS : Prisma.sql`false`} AS has_failed_items,
      ${skipsRetried ? HAS_LIVE_RETRY : Prisma.sql`false`} AS is_skipped FROM ${EXECUTION.table} t WHERE ${where})
    SELECT (SELECT count(*)::int FROM matching) AS matched,
      (SELECT count(*)::int FROM matching WHERE is_skipped) AS skipped,
      (SELECT count(*)::int FROM matching WHERE has_failed_items AND NOT is_skipped) AS "withFailedItems",
      ARRAY(SELECT id::text FROM matching WHERE NOT is_skipped ORDER BY started_at, id LIMIT ${limit}::int) AS "executionIds"`;
  if (!row) throw new Error('an aggregate without a row');
  return row;
}
