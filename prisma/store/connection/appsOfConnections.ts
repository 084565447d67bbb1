import type { Database } from '../../client.ts';

/** The app of each of these connections that the workspace has, by connection id. */
export async function appsOfConnections(
  database: Database,
  workspaceId: string,
  ids: string[],
): Promise<Map<string, string>> {
  const rows = await database.$queryRaw<{ id: string; workflowAppId: string }[]>`
    SELECT id, workflow_app_id AS "workflowAppId" FROM connections
    WHERE workspace_id = ${workspaceId}::uuid AND id = ANY (${ids}::uuid[])`;
  return new Map(rows.map(({ id, workflowAppId }) => [id, workflowAppId]));
}
