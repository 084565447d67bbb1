import type { Logger } from 'pino';
import { connectionSecrets } from '../../domain/app/connectionSecrets.ts';
import type { Catalogue } from '../../domain/app/manifest.ts';
import type { RevealSecrets, StoredCredentials, StoredVariable } from '../../domain/execution/keptSecret.ts';
import { textsOfSecret } from '../../domain/execution/secretVariable.ts';
import type { CredentialVault } from './credentialVault.ts';
import { sealedOf } from './sealer.ts';

interface Parts {
  vault: CredentialVault;
  catalogue: Catalogue;
  log: Logger;
}

/** Opens the credentials that reads of executions mask. Logs credentials whose key is missing: nothing can use them. */
export function buildRevealSecrets({ vault, catalogue, log }: Parts): RevealSecrets {
  const opened = ({ workspaceId, connectionId, appId, type, ownTypes, ...stored }: StoredCredentials): string[] => {
    try {
      const credentials = vault.open({ workspaceId, connectionId }, sealedOf(stored));
      const types = ownTypes ?? catalogue.get(appId)?.connectionTypes;
      // The app of the workspace is gone: nothing says which members are secret.
      return types ? connectionSecrets(types, { type, credentials }) : Object.values(credentials);
    } catch (error) {
      log.warn({ err: error, workspaceId, connectionId }, 'credentials that executions used are not masked');
      return [];
    }
  };
  const openedVariable = ({ workspaceId, variableId, ...stored }: StoredVariable): string[] => {
    try {
      return textsOfSecret(vault.openVariable({ workspaceId, variableId }, sealedOf(stored)));
    } catch (error) {
      log.warn({ err: error, workspaceId, variableId }, 'a secret variable that executions used is not masked');
      return [];
    }
  };
  return (stored) =>
    stored.flatMap((each) => {
      if (typeof each === 'string') return [each];
      return 'variableId' in each ? openedVariable(each) : opened(each);
    });
}
