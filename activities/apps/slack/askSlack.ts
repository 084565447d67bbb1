import { z } from 'zod';
import type { Failure } from '../../../domain/execution/outcome.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { type ActionCall, type ActionResult, failed } from '../executor.ts';
import { privateHostOf } from '../guard/privateHosts.ts';
import { connectionForHost } from '../http/connectionForHost.ts';
import type { RequestSettings } from '../http/exchange.ts';
import { buildRequest } from '../http/request.ts';
import { waitOf } from '../http/requestFailure.ts';
import { slackAddresses } from './addresses.ts';

export interface SlackSettings extends RequestSettings {
  slackUrl?: string | undefined;
}

export type SlackAnswer = { ok: true; body: JsonObject } | { ok: false; failure: Failure; result: ActionResult };

/** `method`: one of Slack's Web API, such as `chat.postMessage`. Methods that only read accept only forms. */
export type AskSlack = (
  call: ActionCall,
  method: string,
  given: JsonObject,
  as?: keyof typeof CONTENT_TYPES,
) => Promise<SlackAnswer>;

const RESPONSE = z.object({ status: z.number(), headers: z.record(z.string(), z.unknown()), body: z.custom<Json>() });
const ANSWER = z.looseObject({ ok: z.boolean(), error: z.string().optional() });

const TIMEOUT_MS = 30_000;
const CONTENT_TYPES = { json: 'application/json; charset=utf-8', form: 'application/x-www-form-urlencoded' };

/** Sends requests like `http.request`. Slack also reports an expired token with status 200, so it is renewed here. */
export function buildAskSlack({ slackUrl, ...settings }: SlackSettings): AskSlack {
  const { api, host } = slackAddresses(slackUrl);
  const allowedPrivateHosts = [...settings.allowedPrivateHosts, ...privateHostOf('slack', slackUrl)];
  const request = buildRequest({ ...settings, app: 'slack', allowedPrivateHosts });
  return async (call, method, given, as = 'json') => {
    const connection = call.connection && connectionForHost(call.connection, host, 'botToken');
    const ask = async (): Promise<SlackAnswer> => {
      const result = await request({
        ...call,
        inputs: {
          ...{ method: 'POST', url: `${api}/${method}`, body: given, failOnStatus: false, timeoutMs: TIMEOUT_MS },
          headers: { 'content-type': CONTENT_TYPES[as] },
        },
        ...(connection ? { connection } : {}),
      });
      if (!result.ok) return { ok: false, failure: result.failure, result };
      const { status, headers, body } = RESPONSE.parse(result.output);
      return slackAnswer(status, headers, body, Date.now());
    };
    const answer = await ask();
    const isExpired = !answer.ok && answer.failure.code === 'SLACK_TOKEN_EXPIRED';
    if (!isExpired || !connection?.renew) return answer;
    const refused = await connection.renew();
    return refused ? { ok: false, failure: refused.failure, result: { ok: false, ...refused } } : ask();
  };
}

/** Errors after which the same request may succeed. After `fatal_error` a part of it may have been done. */
const RETRYABLE: ReadonlySet<string> = new Set([
  ...['ratelimited', 'rate_limited', 'internal_error', 'service_unavailable', 'request_timeout', 'team_added_to_org'],
]);
const ERROR_NAME = /^[a-z0-9_]{1,60}$/;
const HINTS: Readonly<Record<string, string>> = {
  channel_not_found: 'the channel does not exist, or the app cannot see it',
  not_in_channel: 'invite the app to the channel first',
  is_archived: 'the channel is archived',
  missing_scope: 'the token lacks a scope',
  invalid_auth: 'Slack rejected the token',
  token_revoked: 'the token has been revoked',
  message_not_found: 'there is no message with this ts',
  cant_update_message: 'the app did not write this message',
  msg_too_long: 'the text is too long',
};

/** Slack's `channel_not_found` becomes SLACK_CHANNEL_NOT_FOUND, with Slack's answer in the details. */
export function slackAnswer(
  status: number,
  headers: Readonly<Record<string, unknown>>,
  body: Json,
  now: number,
): SlackAnswer {
  const read = ANSWER.safeParse(body);
  if (status === 429) {
    const wait = waitOf(typeof headers['retry-after'] === 'string' ? headers['retry-after'] : undefined, now);
    const more = { retryable: true, details: { status }, ...(wait === undefined ? {} : { retryAfterMs: wait }) };
    return refused(failed('SLACK_RATE_LIMITED', 'Slack limits the requests of this app; try again later.', more));
  }
  if (status >= 500) {
    const details = { status };
    return refused(failed('SLACK_UNAVAILABLE', `Slack answered ${status}.`, { retryable: true, details }));
  }
  if (!read.success) return refused(failed('SLACK_UNCLEAR', `Slack answered ${status} without a result.`));
  if (read.data.ok) return { ok: true, body: body as JsonObject };
  const error = read.data.error ?? '';
  if (!ERROR_NAME.test(error)) return refused(failed('SLACK_REFUSED', 'Slack refused the request without a reason.'));
  const hint = HINTS[error];
  const message = `Slack answered ${error}${hint === undefined ? '' : `: ${hint}`}.`;
  const { needed, provided, response_metadata } = read.data;
  const details = shown({ error, needed, provided, response_metadata });
  return refused(failed(`SLACK_${error.toUpperCase()}`, message, { retryable: RETRYABLE.has(error), details }));
}

function shown(members: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject;
}

function refused(result: ActionResult): SlackAnswer {
  if (result.ok) throw new Error('a refusal is a failure');
  return { ok: false, failure: result.failure, result };
}
