import type { Database } from '../../client.ts';

export interface Hold {
  workflowId: string | null;
  /** It may not begin yet. */
  held: boolean;
  /** It counts towards the limit of its workflow. */
  limited: boolean;
}

/** Undefined where the workspace has no such execution. */
export async function readHold(
  database: Database,
  workspaceId: string,
  executionId: string,
): Promise<Hold | undefined> {
  const [row] = await database.$queryRaw<Hold[]>`
    SELECT workflow_id AS "workflowId", held, limited FROM executions
    WHERE id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid`;
  return row;
}
