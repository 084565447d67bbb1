import type { UIMessageChunk } from 'ai';
import type { ToolCallRef, ToolCallStatus } from '../../../domain/agent/tool.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { notifyOfRun, type WrittenRun } from './notifyTurn.ts';

export interface StoredCall extends ToolCallRef {
  status: ToolCallStatus;
  step: number;
}

export interface CallToRun extends StoredCall {
  input: JsonObject;
  /** Digest of the tool that a user was shown; null if no approval was requested. */
  shown: string | null;
  executionId: string | null;
  agentId: string;
  taskId: string;
  trace: string | null;
  /** Larger results are stored separately; null: never. */
  offloadAboveBytes: number | null;
  /** A stop was requested, or the turn has ended: nothing new may start. */
  isOver: boolean;
}

export async function readCall(
  database: Database,
  workspaceId: string,
  runId: string,
  toolCallId: string,
): Promise<CallToRun | undefined> {
  const [row] = await database.$queryRaw<CallToRun[]>`
    SELECT c.tool_call_id AS "toolCallId", c.kind, c.name, c.status, c.step, c.input, c.shown, c.execution_id AS "executionId",
      t.agent_id AS "agentId", t.id AS "taskId", r.trace,
      CASE WHEN (a.definition ->> 'enableToolResultOffload')::boolean
        THEN (a.definition ->> 'toolResultOffloadThresholdBytes')::int END AS "offloadAboveBytes",
      r.status <> 'RUNNING' OR r.stop_requested_at IS NOT NULL AS "isOver"
    FROM run_tool_calls c JOIN task_runs r ON r.id = c.run_id JOIN tasks t ON t.id = r.task_id
    JOIN agents a ON a.id = t.agent_id
    WHERE c.run_id = ${runId}::uuid AND c.tool_call_id = ${toolCallId} AND r.workspace_id = ${workspaceId}::uuid`;
  return row;
}

/** Records which execution does the work, before it exists. */
export async function noteExecution(
  database: Database,
  runId: string,
  toolCallId: string,
  executionId: string,
): Promise<void> {
  await database.runToolCall.updateMany({ where: { runId, toolCallId, executionId: null }, data: { executionId } });
}

export interface SettledCall {
  runId: string;
  toolCallId: string;
  status: Extract<ToolCallStatus, 'COMPLETED' | 'FAILED' | 'DENIED' | 'STOPPED'>;
  output?: Json;
  /** The id to read the result by, if the message does not contain it. */
  resultId?: string | undefined;
  error?: string;
  chunks: readonly UIMessageChunk[];
}

/** Records the result of a call once. Undefined if it has one, or the run has ended. */
export async function settleCall(
  database: Database,
  workspaceId: string,
  { runId, toolCallId, status, output, resultId, error, chunks }: SettledCall,
): Promise<WrittenRun | undefined> {
  const notified = notifyOfRun(Prisma.sql`r.id`, Prisma.sql`r.revision`, Prisma.sql`r.status`);
  // Raw: calls end concurrently. Attempt 0: its chunks still count if the step was opened again after its end.
  const [row] = await rowsOf<WrittenRun>(
    database,
    Prisma.sql`
    WITH locked AS (
      SELECT id FROM task_runs
      WHERE id = ${runId}::uuid AND workspace_id = ${workspaceId}::uuid AND status = 'RUNNING' FOR NO KEY UPDATE
    ), c AS (
      UPDATE run_tool_calls u SET status = ${status}, output = ${output === undefined ? null : JSON.stringify(output)}::jsonb,
        result_id = ${resultId ?? null}::uuid, error = ${error ?? null}, finished_at = now()
      FROM locked WHERE u.run_id = locked.id AND u.tool_call_id = ${toolCallId} AND u.status IN ('PENDING', 'NEEDS_APPROVAL')
      RETURNING u.run_id, u.step
    ), r AS (
      UPDATE task_runs t SET sequence = t.sequence + 1, revision = t.revision + 1 FROM c WHERE t.id = c.run_id
      RETURNING t.id, t.revision, t.status, t.sequence, c.step
    ), added AS (
      INSERT INTO run_chunks (run_id, sequence, step, attempt, payload)
      SELECT r.id, r.sequence, r.step, 0, ${JSON.stringify(chunks)}::jsonb FROM r
    )
    SELECT r.revision, r.status, ${notified} FROM r`,
  );
  return row;
}
