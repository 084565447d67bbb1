import type { Database } from '../../client.ts';

/** Where a workflow stands; undefined where the workspace has none of this id. */
export async function readWorkflowPlace(
  database: Database,
  workspaceId: string,
  workflowId: string,
): Promise<{ projectId: string; slug: string } | undefined> {
  const [row] = await database.$queryRaw<{ projectId: string; slug: string }[]>`
    SELECT project_id AS "projectId", slug FROM workflows
    WHERE id = ${workflowId}::uuid AND workspace_id = ${workspaceId}::uuid`;
  return row;
}
