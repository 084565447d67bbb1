import type { ConnectionCheck } from '../connectionCheck.ts';
import type { GuardSettings } from '../guard/addressGuard.ts';
import { buildServerCheck } from '../guard/serverCheck.ts';
import { withClient } from './openClient.ts';
import { serverSettings } from './serverSettings.ts';
import { statementFailure } from './statementFailure.ts';

const MAX_BYTES = 1_048_576;

export function buildPostgresCheck(settings: GuardSettings & { timeoutMs: number }): ConnectionCheck {
  return buildServerCheck(settings, {
    app: 'postgres',
    serverOf: serverSettings,
    connect: (server, options) =>
      withClient(server, { ...options, maxBytes: MAX_BYTES }, (client) => client.query('SELECT 1')),
    failureOf: (server, error) => statementFailure(server, error, MAX_BYTES),
  });
}
