import { EXECUTION_STATUSES, type ExecutionStatus } from '../../../domain/execution/status.ts';
import type { Database } from '../../client.ts';
import { listConditions } from '../listResource.ts';
import { checkListQuery, type ListQuery } from '../resourceQuery.ts';
import { EXECUTION } from './resource.ts';

/** How many executions the list with this query has, by status; every status is there. Throws VALIDATION_FAILED. */
export async function countByStatus(
  database: Database,
  workspaceId: string,
  query: Pick<ListQuery, 'filterBy' | 'includeType'>,
): Promise<Record<ExecutionStatus, number>> {
  const conditions = listConditions(workspaceId, EXECUTION, checkListQuery(EXECUTION, query));
  const rows = await database.$queryRaw<{ status: ExecutionStatus; count: number }[]>`
    SELECT t.status, count(*)::int AS count FROM executions t WHERE ${conditions} GROUP BY t.status`;
  const counted = new Map(rows.map(({ status, count }) => [status, count]));
  const entries = EXECUTION_STATUSES.map((status) => [status, counted.get(status) ?? 0]);
  return Object.fromEntries(entries) as Record<ExecutionStatus, number>;
}
