import type { UsableConnection } from '../../../domain/app/chooseConnection.ts';
import type { Database } from '../../client.ts';

/** An app's connections that the workspace can use, the default first, then the oldest. */
export async function usableConnections(
  database: Database,
  workspaceId: string,
  workflowAppId: string,
): Promise<UsableConnection[]> {
  return database.connection.findMany({
    where: { workspaceId, workflowAppId },
    select: { id: true, name: true, isDefault: true },
    orderBy: [{ isDefault: 'desc' }, { id: 'asc' }],
  });
}

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
