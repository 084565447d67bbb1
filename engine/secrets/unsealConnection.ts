import { validate } from 'uuid';
import type { Database } from '../../prisma/client.ts';
import { findSealedConnection } from '../../prisma/store/connection/findSealedConnection.ts';
import type { Credentials, CredentialVault } from './credentialVault.ts';

export interface OpenedConnection {
  workflowAppId: string;
  /** The id of the app's connection type. */
  type: string;
  credentials: Credentials;
}

/** For an attempt of an action: undefined where the workspace has no such connection. Throws as the vault does. */
export async function unsealConnection(
  database: Database,
  vault: CredentialVault,
  workspaceId: string,
  connectionId: string,
): Promise<OpenedConnection | undefined> {
  if (!validate(connectionId)) return undefined;
  const found = await findSealedConnection(database, workspaceId, connectionId);
  if (!found) return undefined;
  const { workflowAppId, type, sealed, keyId } = found;
  return { workflowAppId, type, credentials: vault.open({ workspaceId, connectionId }, { sealed, keyId }) };
}
