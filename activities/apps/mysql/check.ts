import type { ConnectionCheck } from '../connectionCheck.ts';
import type { GuardSettings } from '../guard/addressGuard.ts';
import { buildServerCheck } from '../guard/serverCheck.ts';
import { withConnection } from './openConnection.ts';
import { mySqlServer } from './serverSettings.ts';
import { statementFailure } from './statementFailure.ts';

const MAX_BYTES = 1_048_576;

export function buildMySqlCheck(settings: GuardSettings & { timeoutMs: number }): ConnectionCheck {
  return buildServerCheck(settings, {
    app: 'mysql',
    serverOf: mySqlServer,
    // The handshake has checked user, password and database.
    connect: (server, options) => withConnection(server, { ...options, maxBytes: MAX_BYTES }, async () => undefined),
    failureOf: (server, error) => statementFailure(server, error, MAX_BYTES),
  });
}
