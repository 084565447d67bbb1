import type { ConnectionCheck } from '../connectionCheck.ts';
import { buildAskSlack, type SlackSettings } from './askSlack.ts';

const MAX_BYTES = 65_536;

/** Calls `auth.test`, which needs no scope. */
export function buildSlackCheck(
  settings: Omit<SlackSettings, 'maxResponseBytes'> & { timeoutMs: number },
): ConnectionCheck {
  const ask = buildAskSlack({ ...settings, maxResponseBytes: MAX_BYTES });
  return async (connectionType, credentials, workspaceId) => {
    // The provider's answer is the check.
    if (connectionType === 'oauth2') return undefined;
    const { botToken = '' } = credentials;
    if (!/^[\x21-\x7e]+$/.test(botToken)) return 'botToken: expected letters, digits and signs without spaces';
    const call = {
      inputs: {},
      connection: { type: 'apiKey', credentials },
      idempotencyKey: 'check',
      attempt: 1,
      signal: AbortSignal.timeout(settings.timeoutMs),
      ...(workspaceId === undefined ? {} : { origin: { workspaceId } }),
    };
    const answer = await ask(call, 'auth.test', {}).catch(() => undefined);
    if (answer === undefined) return 'Slack did not answer in time';
    return answer.ok ? undefined : answer.failure.message;
  };
}
