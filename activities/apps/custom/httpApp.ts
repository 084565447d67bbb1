import { setTimeout as pause } from 'node:timers/promises';
import type { CustomApp } from '../../../domain/app/customApp.ts';
import { signedHeaders } from '../../../domain/event/signedMessage.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../domain/json.ts';
import { traceHeaders } from '../../../engine/tracing/traceHeaders.ts';
import { type ActionCall, type ActionResult, failed, stepOf, succeeded } from '../executor.ts';
import { buildExchange, type Exchange, type RequestSettings } from '../http/exchange.ts';
import type { Outgoing } from '../http/outgoing.ts';
import { isRetryableStatus, MAX_RETRY_AFTER_MS, named, waitOf } from '../http/requestFailure.ts';
import type { CustomExecutor } from './customExecutor.ts';
import { wireCallOf } from './wireCallOf.ts';

/** The pause before the first question about an accepted call; it doubles up to the longest, unless Retry-After says. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
const MIN_PAUSE_MS = 100;
/** Questions in a row that may fail before the attempt does. */
const MAX_FAILED_QUESTIONS = 5;
/** The body is read as text, because that of an error may be broken. Redirects would take the signature elsewhere. */
const READING = { responseType: 'text', failOnStatus: false, followRedirects: false } as const;
const CODE = /^[A-Z][A-Z0-9_]{0,63}$/;
const MAX_MESSAGE = 2_000;

/** Returns the signing secret of the app; undefined if the app is gone. */
export type ReadAppSecret = (workspaceId: string, slug: string) => Promise<string | undefined>;

/** Gives `use` a single-use token for the credentials of a connection, which is valid until then at the latest. */
export type LendCredentials = (
  place: { workspaceId: string; connectionId: string },
  use: (token: string) => Promise<ActionResult>,
) => Promise<ActionResult>;

interface HttpAppParts {
  readSecret: ReadAppSecret;
  lendCredentials: LendCredentials;
}

interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[]>>;
  body: string;
}

/** Posts each call to `<baseUrl>/<actionId>`, signed by Standard Webhooks, and asks again about accepted ones. */
export function buildHttpApp(settings: RequestSettings, { readSecret, lendCredentials }: HttpAppParts): CustomExecutor {
  const exchange = buildExchange(settings);
  return async (app, { actionId }, call) => {
    const { workspaceId } = stepOf(call.origin);
    const secret = await readSecret(workspaceId, app.appId);
    if (secret === undefined)
      return failed('APP_DELETED', `The app ${app.appId} is deleted, or has no secret yet: upsert it.`);
    const signed = (method: string, url: URL, body: string): Outgoing => ({
      ...{ method, url },
      headers: {
        accept: 'application/json',
        'accept-encoding': 'gzip, deflate, br',
        'user-agent': 'Perdure',
        'idempotency-key': call.idempotencyKey,
        ...traceHeaders(),
        // The id is the same in each attempt, so that the receiver can drop a repeated call.
        ...signedHeaders(secret, { id: call.idempotencyKey, sentAt: new Date(), body }),
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
      },
      ...(method === 'POST' ? { body } : {}),
    });
    const answerTo = async (token?: string) => {
      const first = signed('POST', actionAddress(app, actionId), JSON.stringify(wireCallOf(call, token)));
      const sent = await send(exchange, first, call);
      if ('ok' in sent) return sent;
      if (sent.status !== 202) return resultOf(first, sent);
      return accepted({ exchange, call, signed: (url) => signed('GET', url, '') }, first, sent);
    };
    const connectionId = call.connection?.id;
    return connectionId === undefined ? answerTo() : lendCredentials({ workspaceId, connectionId }, answerTo);
  };
}

function actionAddress({ custom: { runs } }: CustomApp, actionId: string): URL {
  if (runs.on !== 'http') throw new Error(`expected an app that runs on http, got ${runs.on}`);
  const base = new URL(runs.baseUrl);
  return new URL(`${base.origin}${base.pathname.replace(/\/$/, '')}/${encodeURIComponent(actionId)}`);
}

async function send(exchange: Exchange, request: Outgoing, call: ActionCall): Promise<Answer | ActionResult> {
  const result = await exchange(request, READING, call, () => undefined);
  return result.ok ? (result.output as unknown as Answer) : result;
}

interface Asking {
  exchange: Exchange;
  call: ActionCall;
  signed(url: URL): Outgoing;
}

/** Asks at the Location of a 202 until the answer is final. After a worker's death, the next attempt posts again. */
async function accepted({ exchange, call, signed }: Asking, first: Outgoing, answer: Answer): Promise<ActionResult> {
  let place = locationOf(first.url, answer);
  let said = answer;
  let failures = 0;
  for (let backoff = FIRST_PAUSE_MS; ; backoff = Math.min(backoff * 2, MAX_PAUSE_MS)) {
    if (!place) {
      return failed('HTTP_INVALID_RESPONSE', `${named(first)} answered 202 without a Location of its own origin.`);
    }
    const asked = waitOf(textOf(said.headers['retry-after']), Date.now()) ?? backoff;
    await pause(Math.max(asked, MIN_PAUSE_MS), undefined, { signal: call.signal });
    const request = signed(place);
    const sent = await send(exchange, request, call);
    const isAnswer = !('ok' in sent);
    if (isAnswer) said = sent;
    if (isAnswer && sent.status === 202) {
      failures = 0;
      if (sent.headers.location !== undefined) place = locationOf(place, sent);
      continue;
    }
    const result = isAnswer ? resultOf(request, sent) : sent;
    if (isFinal(result) || failures === MAX_FAILED_QUESTIONS) return result;
    failures += 1;
  }
}

/** A failure with a code of the service is the end of its work. Others are those of the question. */
function isFinal(result: ActionResult): boolean {
  return result.ok || !result.failure.retryable || !result.failure.code.startsWith('HTTP_');
}

function locationOf(from: URL, { headers }: Answer): URL | undefined {
  const location = textOf(headers.location);
  if (location === undefined || !URL.canParse(location, from.href)) return undefined;
  const url = new URL(location, from);
  return url.origin === from.origin && url.username === '' && url.password === '' ? url : undefined;
}

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function resultOf(request: Outgoing, answer: Answer): ActionResult {
  const { status } = answer;
  const body = jsonOf(answer.body);
  if (status >= 400) return problemResult(request, answer, isJsonObject(body) ? body : {});
  if (status >= 300) return failed('HTTP_STATUS', `${named(request)} answered ${status}: redirects are not followed.`);
  if (isJsonObject(body) && body.output !== undefined) return succeeded(body.output);
  return failed('HTTP_INVALID_RESPONSE', `The answer of ${named(request)} is not valid: expected JSON {"output": …}.`);
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function problemResult(request: Outgoing, { status, headers }: Answer, problem: JsonObject): ActionResult {
  const { code, title, detail, details, retryable, retryAfterMs } = problem;
  const isOwnCode = typeof code === 'string' && CODE.test(code);
  const said = [detail, title].find((text) => typeof text === 'string' && text !== '');
  const asked = typeof retryAfterMs === 'number' && retryAfterMs >= 0 ? retryAfterMs : undefined;
  const wait = asked ?? waitOf(textOf(headers['retry-after']), Date.now());
  const mayRetry = typeof retryable === 'boolean' ? retryable : asked !== undefined || isRetryableStatus(status);
  return failed(
    isOwnCode ? code : 'HTTP_STATUS',
    typeof said === 'string' ? said.slice(0, MAX_MESSAGE) : `${named(request)} answered ${status}`,
    {
      retryable: mayRetry,
      ...(mayRetry && wait !== undefined ? { retryAfterMs: Math.min(wait, MAX_RETRY_AFTER_MS) } : {}),
      details: { ...(isJsonObject(details) ? details : {}), status },
    },
  );
}
