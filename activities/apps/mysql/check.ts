import { durationWritten } from '../../../domain/durationWords.ts';
import type { ConnectionCheck } from '../connectionCheck.ts';
import { buildAddressGuard, type GuardSettings } from '../guard/addressGuard.ts';
import { byWorkspace } from '../guard/privateHosts.ts';
import { UnusableCredentials } from '../guard/serverPlace.ts';
import { withConnection } from './openConnection.ts';
import { type MySqlServer, mySqlServer } from './serverSettings.ts';
import { statementFailure } from './statementFailure.ts';

const MAX_BYTES = 1_048_576;

export function buildMySqlCheck(settings: GuardSettings & { timeoutMs: number }): ConnectionCheck {
  const guardOf = byWorkspace(settings, 'mysql', buildAddressGuard);
  return async (_connectionType, credentials, workspaceId) => {
    const guard = guardOf(workspaceId);
    let server: MySqlServer;
    try {
      server = mySqlServer(credentials, guard);
    } catch (error) {
      if (error instanceof UnusableCredentials) return error.message;
      throw error;
    }
    const signal = AbortSignal.timeout(settings.timeoutMs);
    try {
      // The handshake has checked user, password and database.
      await withConnection(server, { guard, signal, maxBytes: MAX_BYTES }, async () => undefined);
      return undefined;
    } catch (error) {
      if (signal.aborted)
        return `${server.host}:${server.port} did not answer within ${durationWritten(settings.timeoutMs)}`;
      const result = statementFailure(server, error, MAX_BYTES);
      return result.ok ? undefined : result.failure.message;
    }
  };
}
