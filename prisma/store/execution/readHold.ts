import type { Database } from '../../client.ts';

export interface Hold {
  workflowId: string | null;
  /** It may not begin yet. */
  held: boolean;
  /** It counts towards the limit of its workflow. */
  limited: boolean;
}

/** Undefined if the workspace has no such execution. */
export async function readHold(
  database: Database,
  workspaceId: string,
  executionId: string,
): Promise<Hold | undefined> {
  const where = { id: executionId, workspaceId };
  const select = { workflowId: true, held: true, limited: true };
  return (await database.execution.findUnique({ where, select })) ?? undefined;
}
