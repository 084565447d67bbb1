import type { ConnectionCheck } from '../connectionCheck.ts';
import type { GuardSettings } from '../guard/addressGuard.ts';
import { buildServerCheck } from '../guard/serverCheck.ts';
import { mailServerSettings } from '../mail/serverSettings.ts';
import { sendFailure } from './sendFailure.ts';
import { PORTS, withSession } from './session.ts';

export function buildSmtpCheck(settings: GuardSettings & { timeoutMs: number }): ConnectionCheck {
  return buildServerCheck(settings, {
    app: 'smtp',
    serverOf: (credentials, guard) => mailServerSettings(credentials, PORTS, guard),
    connect: (server, options) => withSession(server, options, async () => undefined),
    failureOf: (server, error) => sendFailure(server, error, false),
  });
}
