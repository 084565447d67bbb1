import type { UIMessage } from 'ai';
import type { RunStatus } from '../../../domain/agent/runStatus.ts';
import type { WaitingStep } from '../../../domain/agent/turnCalls.ts';
import type { TurnError } from '../../../domain/agent/turnEnd.ts';
import type { Usage } from '../../../domain/agent/usage.ts';
import type { Database } from '../../client.ts';

/** A turn called by a step or another agent, in the state of the newest turn that continues its message. */
export interface CalledTurnState {
  taskId: string;
  /** The newest turn: each answer to an approval starts another one. */
  runId: string;
  status: RunStatus;
  code: string | null;
  error: TurnError | null;
  usages: Usage[];
  message: UIMessage | null;
  /** The step that waits for it; null if it belongs to a conversation. */
  step: WaitingStep | null;
  /** It requested an approval, and the conversation continued without an answer. */
  isUnanswered: boolean;
}

export async function readCalledTurn(
  database: Database,
  workspaceId: string,
  runId: string,
): Promise<CalledTurnState | undefined> {
  // Raw: reads status and message from one snapshot.
  const [row] = await database.$queryRaw<CalledTurnState[]>`
    SELECT t.client_id AS "taskId", n.id AS "runId", n.status, n.code, n.error, n.step, (
      SELECT coalesce(jsonb_agg(u.usage ORDER BY u.number), '[]') FROM task_runs u
      WHERE u.task_id = r.task_id AND u.message_id = r.message_id AND u.number >= r.number AND u.usage IS NOT NULL) AS usages,
      n.status = 'COMPLETED' AND EXISTS (
        SELECT FROM run_tool_calls c WHERE c.run_id = n.id AND c.status = 'NEEDS_APPROVAL') AS "isUnanswered", (
      SELECT jsonb_strip_nulls(jsonb_build_object('id', m.id, 'role', m.role, 'metadata', m.metadata))
        || jsonb_build_object('parts', m.parts)
      FROM task_messages m WHERE m.task_id = r.task_id AND m.id = r.message_id) AS message
    FROM task_runs r JOIN tasks t ON t.id = r.task_id CROSS JOIN LATERAL (
      SELECT o.* FROM task_runs o WHERE o.task_id = r.task_id AND o.message_id = r.message_id AND o.number >= r.number
      ORDER BY o.number DESC LIMIT 1) n
    WHERE r.id = ${runId}::uuid AND r.workspace_id = ${workspaceId}::uuid`;
  return row;
}

/** Returns the turns that await an approval on behalf of a step and that this turn waits for. */
export async function turnsAskingBelow(database: Database, workspaceId: string, runId: string): Promise<string[]> {
  // Raw: Prisma's JSON filter cannot distinguish SQL NULL from JSON null.
  const rows = await database.$queryRaw<{ id: string }[]>`
    SELECT r.id FROM task_runs r WHERE r.parent_run_id = ${runId}::uuid AND r.workspace_id = ${workspaceId}::uuid
      AND r.status = 'NEEDS_APPROVAL' AND r.step IS NOT NULL`;
  return rows.map(({ id }) => id);
}

/** Returns a task's newest turn if it awaits an approval on behalf of a step and, if given, is `runId`. */
export async function askingTurnOf(
  database: Database,
  workspaceId: string,
  taskId: string,
  runId?: string,
): Promise<string | undefined> {
  const [row] = await database.$queryRaw<{ id: string }[]>`
    SELECT r.id FROM task_runs r WHERE r.task_id = ${taskId}::uuid AND r.workspace_id = ${workspaceId}::uuid
      AND r.status = 'NEEDS_APPROVAL' AND r.step IS NOT NULL AND (${runId ?? null}::text IS NULL OR r.id::text = ${runId ?? null})`;
  return row?.id;
}
