import type { ApprovalAnswer } from '../../../domain/agent/approvals.ts';
import type { RunStatus } from '../../../domain/agent/runStatus.ts';
import type { Database } from '../../client.ts';

export interface BegunTurn {
  status: RunStatus;
  stopRequested: boolean;
  taskId: string;
  agentId: string;
  messageId: string;
  approvals: ApprovalAnswer[] | null;
  number: number;
}

/** Notes that the engine has the turn. Undefined where there is none. */
export async function beginTurn(
  database: Database,
  workspaceId: string,
  runId: string,
): Promise<BegunTurn | undefined> {
  // Raw: it notes and reads in one statement.
  const [row] = await database.$queryRaw<BegunTurn[]>`
    UPDATE task_runs r SET begun_at = COALESCE(begun_at, now()) FROM tasks t
    WHERE r.id = ${runId}::uuid AND r.workspace_id = ${workspaceId}::uuid AND t.id = r.task_id
    RETURNING r.status, r.stop_requested_at IS NOT NULL AS "stopRequested", r.task_id AS "taskId",
      t.agent_id AS "agentId", r.message_id AS "messageId", r.approvals, r.number`;
  return row;
}
