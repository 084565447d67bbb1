import type { Database } from '../../client.ts';

/** Returns whether the execution that started an earlier child has the same trigger as the execution `parentId`. */
export async function haveParentsEqualInput(
  database: Database,
  workspaceId: string,
  earlierId: string,
  parentId: string,
): Promise<boolean> {
  const rows = await database.$queryRaw<unknown[]>`
    SELECT 1 FROM executions c
    JOIN executions p ON p.id = c.parent_execution_id AND p.workspace_id = c.workspace_id
    JOIN executions n ON n.id = ${parentId}::uuid AND n.workspace_id = c.workspace_id AND n.trigger = p.trigger
    WHERE c.id = ${earlierId}::uuid AND c.workspace_id = ${workspaceId}::uuid`;
  return rows.length > 0;
}
