import type { Database } from '../../client.ts';

export interface SealedConnection {
  workflowAppId: string;
  type: string;
  sealed: Uint8Array<ArrayBuffer>;
  keyId: string;
}

export interface ConnectionRow extends SealedConnection {
  name: string;
  isDefault: boolean;
  isManaged: boolean;
  status: 'connected' | 'needsReconnect';
  /** Increases with each write of the credentials. */
  version: number;
}

export async function findSealedConnection(
  database: Database,
  workspaceId: string,
  id: string,
): Promise<ConnectionRow | undefined> {
  const row = await database.connection.findUnique({ where: { id, workspaceId } });
  if (row === null) return undefined;
  const { name, isDefault, isManaged, version } = row;
  return {
    workflowAppId: row.workflowAppId,
    type: row.connectionType,
    sealed: row.credentials,
    keyId: row.keyId,
    ...{ name, isDefault, isManaged, version },
    status: row.status === 'connected' ? 'connected' : 'needsReconnect',
  };
}
