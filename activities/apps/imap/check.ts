import type { ConnectionCheck } from '../connectionCheck.ts';
import type { GuardSettings } from '../guard/addressGuard.ts';
import { buildServerCheck } from '../guard/serverCheck.ts';
import { mailServerSettings } from '../mail/serverSettings.ts';
import { mailboxFailure } from './mailboxFailure.ts';
import { PORTS, withMailbox } from './session.ts';

export function buildImapCheck(settings: GuardSettings & { timeoutMs: number }): ConnectionCheck {
  return buildServerCheck(settings, {
    app: 'imap',
    serverOf: (credentials, guard) => mailServerSettings(credentials, PORTS, guard),
    connect: (server, options) => withMailbox(server, options, async () => undefined),
    failureOf: mailboxFailure,
  });
}
