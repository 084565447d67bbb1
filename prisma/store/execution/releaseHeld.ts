import type { Database } from '../../client.ts';
import { UNSTARTED_COLUMNS, type UnstartedExecution } from './reconcileQueries.ts';

export interface ReleasedExecution extends UnstartedExecution {
  revision: number;
}

export async function releaseHeld(
  database: Database,
  workspaceId: string,
  workflowId: string,
  most: number,
): Promise<ReleasedExecution[]> {
  return database.$queryRaw<ReleasedExecution[]>`
    SELECT ${UNSTARTED_COLUMNS}, r.revision, r.limited, true AS released,
      notify_change(${workspaceId}::uuid, r.id, r.revision, 'PENDING', false, r.notice, r.followed_until, false)::text AS notified
    FROM release_held_executions(${workspaceId}::uuid, ${workflowId}::uuid, ${most}::int) r
    JOIN executions e ON e.id = r.id
    ORDER BY r.number`;
}
