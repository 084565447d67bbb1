import { pino } from 'pino';
import { buildCatalogue } from '../../../activities/apps/catalogue.ts';
import { provideSecrets } from '../../../embedded/secrets.ts';
import { WorkspaceApps } from '../../../engine/apps/workspaceApps.ts';
import { ConnectionTokens } from '../../../engine/connections/connectionTokens.ts';
import { OAuth2Requests } from '../../../engine/connections/oauth2Requests.ts';
import { createCredentialVault } from '../../../engine/secrets/credentialVault.ts';
import { stackDatabase } from '../workspace/workspace.ts';
import { inject } from './inject.ts';

/** Opens connections of the shared stack like its worker. `leaseMs`: maximum time of a refresh. */
export async function stackConnections({ leaseMs = 10_000 } = {}): Promise<ConnectionTokens> {
  const { ENCRYPTION_KEY } = await provideSecrets(inject('stack').dataDir, process.env);
  return new ConnectionTokens({
    database: stackDatabase(),
    vault: createCredentialVault(ENCRYPTION_KEY),
    apps: new WorkspaceApps(stackDatabase(), buildCatalogue({ testing: true })),
    requests: new OAuth2Requests({ fetchOf: () => fetch, timeoutMs: 10_000 }),
    ...{ clients: [], leaseMs, marginMs: 0 },
    log: pino({ level: 'silent' }),
  });
}
