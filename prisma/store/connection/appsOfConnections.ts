import type { Database } from '../../client.ts';

/** The app of each of these connections that the workspace has, by connection id. */
export async function appsOfConnections(
  database: Database,
  workspaceId: string,
  ids: string[],
): Promise<Map<string, string>> {
  const where = { workspaceId, id: { in: ids } };
  const rows = await database.connection.findMany({ where, select: { id: true, workflowAppId: true } });
  return new Map(rows.map(({ id, workflowAppId }) => [id, workflowAppId]));
}
