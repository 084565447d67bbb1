import type { Logger } from 'pino';
import { connectionSecrets } from '../../domain/app/connectionSecrets.ts';
import type { Catalogue } from '../../domain/app/manifest.ts';
import type { RevealSecrets, StoredCredentials } from '../../domain/execution/keptSecret.ts';
import type { CredentialVault } from './credentialVault.ts';

interface Parts {
  vault: CredentialVault;
  catalogue: Catalogue;
  log: Logger;
}

/**
 * Opens the credentials that reads of executions mask. Credentials whose key is gone cannot be used by anybody; the log
 * reports them.
 */
export function buildRevealSecrets({ vault, catalogue, log }: Parts): RevealSecrets {
  const opened = ({ workspaceId, connectionId, appId, type, sealed, keyId }: StoredCredentials): string[] => {
    try {
      const bytes = new Uint8Array(Buffer.from(sealed, 'base64'));
      const credentials = vault.open({ workspaceId, connectionId }, { sealed: bytes, keyId });
      return connectionSecrets(catalogue, appId, { type, credentials });
    } catch (error) {
      log.warn({ err: error, workspaceId, connectionId }, 'credentials that executions used are not masked');
      return [];
    }
  };
  return (stored) => stored.flatMap((each) => (typeof each === 'string' ? [each] : opened(each)));
}
