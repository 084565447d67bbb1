import type { Database } from '../../client.ts';
import { UNSTARTED_COLUMNS, type UnstartedExecution } from './reconcileQueries.ts';

export interface ReleasedExecution extends UnstartedExecution {
  /** Revision of the released row. */
  revision: number;
}

/** Lets go what pause and limit of the workflow no longer hold, at most `most`; in the order of their numbers. */
export async function releaseHeld(
  database: Database,
  workspaceId: string,
  workflowId: string,
  most: number,
): Promise<ReleasedExecution[]> {
  // Raw: which of them may go is decided and written by one call of a function.
  return database.$queryRaw<ReleasedExecution[]>`
    SELECT ${UNSTARTED_COLUMNS}, r.revision, r.limited, true AS released,
      notify_change(${workspaceId}::uuid, r.id, r.revision, 'PENDING', false, r.notice, r.followed_until, false)::text AS notified
    FROM release_held_executions(${workspaceId}::uuid, ${workflowId}::uuid, ${most}::int) r
    JOIN executions e ON e.id = r.id
    ORDER BY r.number`;
}
