import type { Database } from '../../client.ts';

export interface SealedConnection {
  workflowAppId: string;
  /** The id of the app's connection type. */
  type: string;
  sealed: Uint8Array<ArrayBuffer>;
  keyId: string;
}

export async function findSealedConnection(
  database: Database,
  workspaceId: string,
  id: string,
): Promise<SealedConnection | undefined> {
  const row = await database.connection.findUnique({ where: { id, workspaceId } });
  if (row === null) return undefined;
  return { workflowAppId: row.workflowAppId, type: row.connectionType, sealed: row.credentials, keyId: row.keyId };
}
