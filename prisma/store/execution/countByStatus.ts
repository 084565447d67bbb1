import type { Viewer } from '../../../domain/access/viewer.ts';
import { EXECUTION_STATUSES, type ExecutionStatus } from '../../../domain/execution/status.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { checkListQuery, type ListQuery } from '../resourceQuery.ts';
import { listedRows } from '../rows.ts';
import { EXECUTION } from './resource.ts';

/** Counts each status up to `most`; an index has the few that have not completed. Throws VALIDATION_FAILED. */
export async function countByStatus(
  database: Database,
  viewer: Viewer,
  query: Pick<ListQuery, 'filterBy' | 'includeType'>,
  most: number,
): Promise<Record<ExecutionStatus, number>> {
  const conditions = listedRows(EXECUTION, viewer, checkListQuery(EXECUTION, viewer, query));
  const counts = EXECUTION_STATUSES.map((status) => {
    const text = Prisma.raw(`'${status}'`);
    return Prisma.sql`SELECT ${text} AS status, count(*)::int AS count FROM (
      SELECT FROM executions t WHERE ${conditions} AND t.status = ${text} LIMIT ${most}::int) counted`;
  });
  // Raw: each status is counted up to a limit of its own, all in one statement.
  const rows = await rowsOf<{ status: ExecutionStatus; count: number }>(
    database,
    Prisma.sql`${Prisma.join(counts, ' UNION ALL ')}`,
  );
  const counted = new Map(rows.map(({ status, count }) => [status, count]));
  const entries = EXECUTION_STATUSES.map((status) => [status, counted.get(status) ?? 0]);
  return Object.fromEntries(entries) as Record<ExecutionStatus, number>;
}
