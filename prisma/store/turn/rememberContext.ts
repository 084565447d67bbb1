import type { Database } from '../../client.ts';

/** Notes the tokens that further requests of the turn may have, since its model takes no more. Fenced like writeChunks. */
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
