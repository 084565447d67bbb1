import type { Database } from '../../client.ts';

export interface Ancestor {
  workflowId: string | null;
  name: string;
}

/** Reads an execution and its ancestors, from the execution upwards, at most `most`. */
export async function readAncestry(
  database: Database,
  workspaceId: string,
  executionId: string,
  most: number,
): Promise<Ancestor[]> {
  return database.$queryRaw<Ancestor[]>`
    WITH RECURSIVE line AS (
      SELECT id, workspace_id, workflow_id, name, parent_execution_id, 1 AS depth FROM executions
      WHERE id = ${executionId}::uuid AND workspace_id = ${workspaceId}::uuid
      UNION ALL
      SELECT e.id, e.workspace_id, e.workflow_id, e.name, e.parent_execution_id, l.depth + 1
      FROM line l JOIN executions e ON e.id = l.parent_execution_id AND e.workspace_id = l.workspace_id
      WHERE l.depth < ${most}::int
    )
    SELECT workflow_id AS "workflowId", name FROM line ORDER BY depth`;
}
