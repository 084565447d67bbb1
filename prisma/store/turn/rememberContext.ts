import type { Database } from '../../client.ts';

/** Stores the token limit for further requests after the model rejected a longer one. Fenced like writeChunks. */
export async function rememberContext(
  database: Database,
  workspaceId: string,
  { runId, attempt, tokens }: { runId: string; attempt: number; tokens: number },
): Promise<void> {
  await database.taskRun.updateMany({
    where: { id: runId, workspaceId, status: 'RUNNING', attempt },
    data: { contextTokens: tokens },
  });
}
