import { durationWritten } from '../../../domain/durationWords.ts';
import type { ConnectionCheck } from '../connectionCheck.ts';
import { buildAddressGuard, type GuardSettings } from '../guard/addressGuard.ts';
import { byWorkspace } from '../guard/privateHosts.ts';
import { UnusableCredentials } from '../guard/serverPlace.ts';
import { type MailServer, mailServerSettings } from '../mail/serverSettings.ts';
import { sendFailure } from './sendFailure.ts';
import { PORTS, withSession } from './session.ts';

export function buildSmtpCheck(settings: GuardSettings & { timeoutMs: number }): ConnectionCheck {
  const guardOf = byWorkspace(settings, 'smtp', buildAddressGuard);
  return async (_connectionType, credentials, workspaceId) => {
    const guard = guardOf(workspaceId);
    let server: MailServer;
    try {
      server = mailServerSettings(credentials, PORTS, guard);
    } catch (error) {
      if (error instanceof UnusableCredentials) return error.message;
      throw error;
    }
    const signal = AbortSignal.timeout(settings.timeoutMs);
    try {
      await withSession(server, { guard, signal }, async () => undefined);
      return undefined;
    } catch (error) {
      if (signal.aborted)
        return `${server.host}:${server.port} did not answer within ${durationWritten(settings.timeoutMs)}`;
      const result = sendFailure(server, error, false);
      return result.ok ? undefined : result.failure.message;
    }
  };
}
