import type { Database } from '../../client.ts';

export interface Hold {
  workflowId: string | null;
  /** It may not begin yet. */
  held: boolean;
  limited: boolean;
}

export async function readHold(
  database: Database,
  workspaceId: string,
  executionId: string,
): Promise<Hold | undefined> {
  const where = { id: executionId, workspaceId };
  const select = { workflowId: true, held: true, limited: true };
  return (await database.execution.findUnique({ where, select })) ?? undefined;
}
