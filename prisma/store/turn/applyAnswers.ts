import type { UIMessage, UIMessageChunk } from 'ai';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { notifyOfRun, type WrittenRun } from './notifyTurn.ts';

export interface AppliedAnswers {
  messageId: string;
  parts: UIMessage['parts'];
  /** Calls with which the turn resumes; none if the message belongs to another turn. */
  calls: readonly { toolCallId: string; approved: boolean }[];
}

/** Writes answers into the message and their calls into the turn, as PENDING or DENIED calls of step 0. Idempotent. */
export async function applyAnswers(
  database: Database,
  workspaceId: string,
  runId: string,
  { messageId, parts, calls }: AppliedAnswers,
): Promise<WrittenRun | undefined> {
  const denied = calls
    .filter(({ approved }) => !approved)
    .map(({ toolCallId }): UIMessageChunk => ({ type: 'tool-output-denied', toolCallId }));
  const notified = notifyOfRun(Prisma.sql`r.id`, Prisma.sql`r.revision`, Prisma.sql`r.status`);
  const [row] = await rowsOf<WrittenRun>(
    database,
    Prisma.sql`
    WITH r AS (
      UPDATE task_runs SET revision = revision + 1,
        sequence = CASE WHEN ${denied.length > 0} THEN greatest(sequence, first_sequence + 1) ELSE sequence END
      WHERE id = ${runId}::uuid AND workspace_id = ${workspaceId}::uuid AND status = 'RUNNING'
      RETURNING id, task_id, number, first_sequence, revision, status
    ), m AS (
      UPDATE task_messages u SET parts = ${JSON.stringify(parts)}::jsonb FROM r WHERE u.task_id = r.task_id AND u.id = ${messageId}
    ), called AS (
      INSERT INTO run_tool_calls (run_id, tool_call_id, step, position, name, kind, status, input, shown)
      SELECT r.id, c.tool_call_id, 0, c.position, c.name, c.kind, CASE WHEN x.approved THEN 'PENDING' ELSE 'DENIED' END, c.input, c.shown
      FROM r JOIN task_runs o ON o.task_id = r.task_id AND o.message_id = ${messageId} AND o.number < r.number
      JOIN run_tool_calls c ON c.run_id = o.id AND c.status = 'NEEDS_APPROVAL'
      JOIN jsonb_to_recordset(${JSON.stringify(calls)}::jsonb) AS x("toolCallId" text, approved boolean)
        ON x."toolCallId" = c.tool_call_id
      ON CONFLICT (run_id, tool_call_id) DO NOTHING
    ), added AS (
      INSERT INTO run_chunks (run_id, sequence, step, attempt, payload)
      SELECT r.id, r.first_sequence + 1, 0, 0, ${JSON.stringify(denied)}::jsonb FROM r WHERE ${denied.length > 0}
      ON CONFLICT (run_id, sequence) DO NOTHING
    )
    SELECT r.revision, r.status, ${notified} FROM r`,
  );
  return row;
}
