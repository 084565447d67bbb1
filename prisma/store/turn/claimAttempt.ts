import type { RunStatus } from '../../../domain/agent/runStatus.ts';
import type { Usage } from '../../../domain/agent/usage.ts';
import type { Database } from '../../client.ts';

/** A model call that has ended, as the run remembers it. */
export interface RecordedStep {
  step: number;
  finishReason: string;
  usage: Usage;
  /** The model is to be asked again. */
  goesOn: boolean;
}

export interface ClaimedAttempt {
  status: RunStatus;
  stopRequested: boolean;
  attempt: number;
  sequence: number;
  steps: RecordedStep[];
  taskId: string;
  agentId: string;
  messageId: string;
  number: number;
}

/** The next attempt of a run: from now on those before it write nothing. Undefined where it has ended, or there is none. */
export async function claimAttempt(
  database: Database,
  workspaceId: string,
  runId: string,
): Promise<ClaimedAttempt | undefined> {
  // Raw: a counter is counted up and read in one statement.
  const [row] = await database.$queryRaw<ClaimedAttempt[]>`
    UPDATE task_runs r SET attempt = r.attempt + 1 FROM tasks t
    WHERE r.id = ${runId}::uuid AND r.workspace_id = ${workspaceId}::uuid AND r.status = 'RUNNING' AND t.id = r.task_id
    RETURNING r.status, r.stop_requested_at IS NOT NULL AS "stopRequested", r.attempt, r.sequence, r.steps,
      r.task_id AS "taskId", t.agent_id AS "agentId", r.message_id AS "messageId", r.number`;
  return row;
}
