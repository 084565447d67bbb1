import type { ConnectionCheck } from './connectionCheck.ts';
import type { GuardSettings } from './guard/addressGuard.ts';
import { checkHttpCredentials } from './http/check.ts';
import { buildImapCheck } from './imap/check.ts';
import { buildMySqlCheck } from './mysql/check.ts';
import { buildOpenAiCheck } from './openai/check.ts';
import { buildPostgresCheck } from './postgres/check.ts';
import { buildS3Check } from './s3/check.ts';
import { buildSlackCheck } from './slack/check.ts';
import { buildSmtpCheck } from './smtp/check.ts';

export type CheckSettings = GuardSettings & {
  timeoutMs: number;
  /** SLACK_URL */
  slackUrl?: string | undefined;
};

/** Checks credentials before they are stored, by appId. The only code of apps that runs in the API. */
export function buildConnectionChecks(settings: CheckSettings): ReadonlyMap<string, ConnectionCheck> {
  return new Map([
    ['http', checkHttpCredentials],
    ['imap', buildImapCheck(settings)],
    ['mysql', buildMySqlCheck(settings)],
    ['openai', buildOpenAiCheck(settings)],
    ['postgres', buildPostgresCheck(settings)],
    ['s3', buildS3Check(settings)],
    ['slack', buildSlackCheck(settings)],
    ['smtp', buildSmtpCheck(settings)],
  ]);
}
