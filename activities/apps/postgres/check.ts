import { durationWritten } from '../../../domain/durationWords.ts';
import type { ConnectionCheck } from '../connectionCheck.ts';
import { buildAddressGuard, type GuardSettings } from '../guard/addressGuard.ts';
import { byWorkspace } from '../guard/privateHosts.ts';
import { UnusableCredentials } from '../guard/serverPlace.ts';
import { withClient } from './openClient.ts';
import { type ServerSettings, serverSettings } from './serverSettings.ts';
import { statementFailure } from './statementFailure.ts';

const MAX_BYTES = 1_048_576;

export function buildPostgresCheck(settings: GuardSettings & { timeoutMs: number }): ConnectionCheck {
  const guardOf = byWorkspace(settings, 'postgres', buildAddressGuard);
  return async (_connectionType, credentials, workspaceId) => {
    const guard = guardOf(workspaceId);
    let server: ServerSettings;
    try {
      server = serverSettings(credentials, guard);
    } catch (error) {
      if (error instanceof UnusableCredentials) return error.message;
      throw error;
    }
    const signal = AbortSignal.timeout(settings.timeoutMs);
    try {
      await withClient(server, { guard, signal, maxBytes: MAX_BYTES }, (client) => client.query('SELECT 1'));
      return undefined;
    } catch (error) {
      if (signal.aborted)
        return `${server.host}:${server.port} did not answer within ${durationWritten(settings.timeoutMs)}`;
      const result = statementFailure(server, error, MAX_BYTES);
      return result.ok ? undefined : result.failure.message;
    }
  };
}
