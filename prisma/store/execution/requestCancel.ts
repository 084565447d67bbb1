import type { ExecutionStatus } from '../../../domain/execution/status.ts';
import type { Database } from '../../client.ts';

/** Keeps the reason for which an open execution is to end, where none was given before. Undefined: no such execution. */
export async function requestCancel(
  database: Database,
  workspaceId: string,
  executionId: string,
  reason: string,
): Promise<{ status: ExecutionStatus } | undefined> {
  const [row] = await database.$queryRaw<{ status: ExecutionStatus }[]>`
    WITH asked AS (
      UPDATE executions SET cancel_reason = coalesce(cancel_reason, ${reason})
      WHERE id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid
        AND status NOT IN ('COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT')
      RETURNING status
    )
    SELECT status FROM asked UNION ALL
    SELECT status FROM executions
    WHERE id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid AND NOT EXISTS (SELECT FROM asked)`;
  return row;
}
