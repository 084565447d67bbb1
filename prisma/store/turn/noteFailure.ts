import type { ContextTrimmed } from '../../../domain/agent/contextBudget.ts';
import type { TurnError } from '../../../domain/agent/turnEnd.ts';
import type { Database } from '../../client.ts';

export interface FailedAttempt {
  runId: string;
  attempt: number;
  error: TurnError;
  /** Undefined: there is no next attempt. */
  delayMs: number | undefined;
  trimmed: ContextTrimmed | undefined;
}

/** Records why a model call failed, for users, while the turn waits and after it ends. Fenced like writeChunks. */
export async function noteFailure(
  database: Database,
  workspaceId: string,
  { runId, attempt, error, delayMs, trimmed }: FailedAttempt,
): Promise<void> {
  await database.$executeRaw`
    UPDATE task_runs SET error = ${JSON.stringify(error)}::jsonb,
      context_trimmed = ${trimmed === undefined ? null : JSON.stringify(trimmed)}::jsonb,
      retry_at = now() + ${delayMs ?? null}::float8 * interval '1 millisecond'
    WHERE id = ${runId}::uuid AND workspace_id = ${workspaceId}::uuid AND status = 'RUNNING' AND attempt = ${attempt}::int`;
}
