import { z } from 'zod';
import type { Failure } from '../../../domain/execution/outcome.ts';
import type { Json, JsonObject } from '../../../domain/json.ts';
import { type ActionCall, type ActionResult, failed } from '../executor.ts';
import { privateHostOf } from '../guard/privateHosts.ts';
import { connectionForHost } from '../http/connectionForHost.ts';
import type { RequestSettings } from '../http/exchange.ts';
import { buildRequest } from '../http/request.ts';
import { waitOf } from '../http/requestFailure.ts';
import { gitHubAddresses } from './addresses.ts';

export interface GitHubSettings extends RequestSettings {
  gitHubUrl?: string | undefined;
}

export interface Asked {
  method: 'GET' | 'POST' | 'PATCH';
  path: string;
  query?: JsonObject;
  body?: JsonObject;
}

export type GitHubAnswer =
  | { ok: true; body: Json; hasNext: boolean }
  | { ok: false; failure: Failure; result: ActionResult };

export type AskGitHub = (call: ActionCall, asked: Asked) => Promise<GitHubAnswer>;

const ANSWER = z.object({ status: z.number(), headers: z.record(z.string(), z.unknown()), body: z.custom<Json>() });
const REFUSAL = z.object({ message: z.string(), errors: z.array(z.unknown()).optional() });

const VERSION = '2022-11-28';
/** The limit of http.request: a service may ask for a pause, not for a step that never ends. */
const MAX_WAIT_MS = 86_400_000;

/** Sends requests like `http.request`: with the guard, one time limit, and a new token after a 401. */
export function buildAskGitHub({ gitHubUrl, ...settings }: GitHubSettings): AskGitHub {
  const { api, apiHost } = gitHubAddresses(gitHubUrl);
  const allowedPrivateHosts = [...settings.allowedPrivateHosts, ...privateHostOf('github', gitHubUrl)];
  const request = buildRequest({ ...settings, app: 'github', allowedPrivateHosts });
  return async (call, { method, path, query, body }) => {
    const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': VERSION };
    const result = await request({
      ...call,
      inputs: {
        ...{ method, url: `${api}${path}`, headers, failOnStatus: false, timeoutMs: 60_000 },
        ...(query === undefined ? {} : { query }),
        ...(body === undefined ? {} : { body }),
      },
      ...(call.connection ? { connection: connectionForHost(call.connection, apiHost) } : {}),
    });
    if (!result.ok) return { ok: false, failure: result.failure, result };
    const answer = ANSWER.parse(result.output);
    if (answer.status >= 200 && answer.status < 300) {
      return { ok: true, body: answer.body, hasNext: /rel="next"/.test(String(answer.headers.link ?? '')) };
    }
    const refused = refusal(answer.status, answer.headers, answer.body, Date.now());
    if (refused.ok) throw new Error('a refusal is a failure');
    return { ok: false, failure: refused.failure, result: refused };
  };
}

export function refusal(
  status: number,
  headers: Readonly<Record<string, unknown>>,
  body: Json,
  now: number,
): ActionResult {
  const said = REFUSAL.safeParse(body);
  const message = said.success ? said.data.message : `It answered ${status}`;
  const details = {
    status,
    message,
    ...(said.success && said.data.errors ? { errors: said.data.errors as Json[] } : {}),
  };
  const limited = status === 429 || status === 403 ? limitedFor(headers, now) : undefined;
  if (limited !== undefined || status === 429) {
    const more = { retryable: true, details, ...(limited === undefined ? {} : { retryAfterMs: limited }) };
    return failed('GITHUB_RATE_LIMITED', `GitHub takes no more requests of this account for now: ${message}.`, more);
  }
  switch (status) {
    case 401:
      return failed('GITHUB_UNAUTHENTICATED', `GitHub does not take the token: ${message}.`, { details });
    case 403:
      return failed('GITHUB_FORBIDDEN', `GitHub does not allow it: ${message}.`, { details });
    case 404:
    case 410:
      return failed('GITHUB_NOT_FOUND', `GitHub does not have it, or not for this account: ${message}.`, { details });
    case 422:
      return failed('GITHUB_INVALID', `GitHub does not take these values: ${message}.`, { details });
    default:
      return status >= 500
        ? failed('GITHUB_UNAVAILABLE', `GitHub answered ${status}.`, { retryable: true, details })
        : failed('GITHUB_REFUSED', `GitHub answered ${status}: ${message}.`, { details });
  }
}

/** Returns the milliseconds until requests are accepted again; undefined without a rate limit. */
function limitedFor(headers: Readonly<Record<string, unknown>>, now: number): number | undefined {
  const text = (name: string) => (typeof headers[name] === 'string' ? headers[name] : undefined);
  const asked = waitOf(text('retry-after'), now);
  if (asked !== undefined) return asked;
  if (text('x-ratelimit-remaining') !== '0') return undefined;
  const reset = Number(text('x-ratelimit-reset')) * 1_000;
  return Number.isFinite(reset) ? Math.min(Math.max(reset - now, 1_000), MAX_WAIT_MS) : 60_000;
}
