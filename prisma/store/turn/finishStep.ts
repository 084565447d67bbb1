import type { ContextTrimmed } from '../../../domain/agent/contextBudget.ts';
import type { MadeCall } from '../../../domain/agent/settledCall.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { notifyOfRun, type WrittenRun } from './notifyTurn.ts';
import type { StepOfRun } from './openAttempt.ts';
import { type ChunkGroup, groupStored } from './writeChunks.ts';

/** Writes the end of a model call once: its last chunks, usage and tool calls. Fenced like writeChunks. */
export async function finishStep(
  database: Database,
  workspaceId: string,
  group: ChunkGroup,
  { trimmed, ...recorded }: StepOfRun & { trimmed?: ContextTrimmed | undefined },
  calls: readonly (MadeCall & { shown?: string })[],
): Promise<WrittenRun | undefined> {
  const { runId, step, attempt, sequence } = group;
  const notified = notifyOfRun(Prisma.sql`r.id`, Prisma.sql`r.revision`, Prisma.sql`r.status`);
  const made = JSON.stringify(calls.map((call, position) => ({ ...call, position })));
  const [row] = await rowsOf<WrittenRun>(
    database,
    Prisma.sql`
    WITH r AS (
      UPDATE task_runs SET sequence = greatest(sequence, ${sequence}::int), revision = revision + 1,
        error = NULL, retry_at = NULL,
        context_trimmed = ${trimmed === undefined ? null : JSON.stringify(trimmed)}::jsonb, steps = steps || ${JSON.stringify([recorded])}::jsonb
      WHERE id = ${runId}::uuid AND workspace_id = ${workspaceId}::uuid AND status = 'RUNNING' AND attempt = ${attempt}::int
        AND NOT steps @> ${JSON.stringify([{ step }])}::jsonb
      RETURNING id, revision, status
    ), ${groupStored(group)}, called AS (
      INSERT INTO run_tool_calls (run_id, tool_call_id, step, position, name, kind, status, input, shown)
      SELECT r.id, x."toolCallId", ${step}::int, x.position, x.name, x.kind, x.status, x.input, x.shown
      FROM r, jsonb_to_recordset(${made}::jsonb) AS x("toolCallId" text, position int, name text, kind text, status text, input jsonb, shown text)
      ON CONFLICT (run_id, tool_call_id) DO NOTHING
    )
    SELECT r.revision, r.status, ${notified} FROM r`,
  );
  if (row) database.observer.modelCalled(recorded.usage);
  return row;
}
