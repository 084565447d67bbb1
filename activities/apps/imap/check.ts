import { durationWritten } from '../../../domain/durationWords.ts';
import type { ConnectionCheck } from '../connectionCheck.ts';
import { buildAddressGuard, type GuardSettings } from '../guard/addressGuard.ts';
import { byWorkspace } from '../guard/privateHosts.ts';
import { UnusableCredentials } from '../guard/serverPlace.ts';
import { type MailServer, mailServerSettings } from '../mail/serverSettings.ts';
import { mailboxFailure } from './mailboxFailure.ts';
import { PORTS, withMailbox } from './session.ts';

export function buildImapCheck(settings: GuardSettings & { timeoutMs: number }): ConnectionCheck {
  const guardOf = byWorkspace(settings, 'imap', buildAddressGuard);
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
      await withMailbox(server, { guard, signal }, async () => undefined);
      return undefined;
    } catch (error) {
      if (signal.aborted)
        return `${server.host}:${server.port} did not answer within ${durationWritten(settings.timeoutMs)}`;
      return mailboxFailure(server, error).failure.message;
    }
  };
}
