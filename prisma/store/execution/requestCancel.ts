import type { ExecutionStatus } from '../../../domain/execution/status.ts';
import type { Database } from '../../client.ts';
import { ENDED } from './endedStatus.ts';

export interface CancelledRow {
  status: ExecutionStatus;
  workflowId: string | null;
  /** It counts towards the limit of its workflow. */
  limited: boolean;
  /** It is held, and the engine knows nothing of it. */
  isOnlyHeld: boolean;
}

/** Keeps the reason for which an open execution is to end, where none was given before. Undefined: no such execution. */
export async function requestCancel(
  database: Database,
  workspaceId: string,
  executionId: string,
  reason: string,
): Promise<CancelledRow | undefined> {
  // Raw: the reason is kept only where it is open and has none; the answer says which it was.
  const [row] = await database.$queryRaw<CancelledRow[]>`
    WITH asked AS (
      UPDATE executions SET cancel_reason = coalesce(cancel_reason, ${reason})
      WHERE id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid
        AND status NOT IN ${ENDED}
      RETURNING status, workflow_id AS "workflowId", limited, held AND starter_id IS NULL AS "isOnlyHeld"
    )
    SELECT * FROM asked UNION ALL
    SELECT status, workflow_id, limited, false FROM executions
    WHERE id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid AND NOT EXISTS (SELECT FROM asked)`;
  return row;
}
