import type { Agent, Dispatcher } from 'undici';
import { durationWritten } from '../../../domain/durationWords.ts';
import type { Failure } from '../../../domain/execution/outcome.ts';
import type { ConsoleLine } from '../../../domain/execution/stepRecord.ts';
import {
  type ActionCall,
  type ActionResult,
  awaitsAnswer,
  type CallConnection,
  failed,
  succeeded,
} from '../executor.ts';
import type { GuardSettings } from '../guard/addressGuard.ts';
import { byWorkspace } from '../guard/privateHosts.ts';
import { buildGuardedAgent, type SentOptions } from './guardedAgent.ts';
import { credentialTexts, maskedResult } from './maskedResult.ts';
import type { Outgoing } from './outgoing.ts';
import { redirected } from './redirect.ts';
import { named, statusFailure, thrownFailure } from './requestFailure.ts';
import { bodyValue, discard, InvalidResponse, type ResponseType, readBytes, TooLarge, textOf } from './responseBody.ts';

const MAX_REDIRECTS = 5;
/** Bytes of an error response's body that are read, and the time limit for them. */
const MAX_ERROR_BYTES = 8_192;
const ERROR_BODY_MS = 2_000;

export interface RequestSettings extends GuardSettings {
  /** The app whose private hosts are allowed; default: `http`. */
  app?: string;
  maxResponseBytes: number;
}

export interface Reading {
  /** For everything: name resolution, redirects and a slow body. Default: only the call's signal. */
  timeoutMs?: number;
  responseType: ResponseType;
  failOnStatus: boolean;
  followRedirects: boolean;
  /** Below the limit of the settings. */
  maxResponseBytes?: number | undefined;
}

/** Sends a request through the guard. No result contains a credential of the call's connection. */
export type Exchange = (
  request: Outgoing,
  reading: Reading,
  call: Pick<ActionCall, 'answer' | 'connection' | 'origin' | 'signal'>,
  /** Returns the request with the credential as it is now; undefined if it has none. */
  withCredential: (request: Outgoing) => Outgoing | undefined,
) => Promise<ActionResult>;

export function buildExchange(settings: RequestSettings): Exchange {
  const agentOf = byWorkspace(settings, settings.app ?? 'http', buildGuardedAgent);
  return async (first, reading, call, withCredential) => {
    const { timeoutMs } = reading;
    const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
    const maxBytes = Math.min(reading.maxResponseBytes ?? Number.POSITIVE_INFINITY, settings.maxResponseBytes);
    let request = first;
    const console: ConsoleLine[] = [];
    const secrets = new Set(credentialTexts(call.connection));
    const noted = (result: ActionResult) => {
      // The token may have been renewed meanwhile.
      for (const text of credentialTexts(call.connection)) secrets.add(text);
      const shown = maskedResult(result, [...secrets]);
      return console.length === 0 ? shown : { ...shown, console };
    };
    try {
      const result = await exchange(
        agentOf(call.origin?.workspaceId),
        request,
        { ...reading, maxBytes },
        timeout ? AbortSignal.any([call.signal, timeout]) : call.signal,
        {
          redirected(next) {
            if (request.credential && !next.credential) console.push(withoutCredential(request, next));
            request = next;
          },
          refused: (refused) => withNewToken(refused, call.connection, withCredential),
          sent: () => awaitsAnswer(call, true),
        },
      );
      awaitsAnswer(call, false);
      return noted(result);
    } catch (error) {
      call.signal.throwIfAborted();
      if (!timeout?.aborted) {
        const failure = thrownFailure(request, error);
        // An answer that is refused has come.
        if (!failure.ok && !failure.failure.retryable) awaitsAnswer(call, false);
        return noted(failure);
      }
      const message = `${named(first)} did not finish within ${durationWritten(timeoutMs ?? 0)}.`;
      return noted(failed('HTTP_TIMEOUT', message, { retryable: true }));
    }
  };
}

type BoundedReading = Reading & { maxBytes: number };

interface OnTheWay {
  redirected(next: Outgoing): void;
  refused(request: Outgoing): Promise<Outgoing | { failure: Failure } | undefined>;
  sent(): void;
}

async function withNewToken(
  request: Outgoing,
  connection: CallConnection | undefined,
  withCredential: (request: Outgoing) => Outgoing | undefined,
): Promise<Outgoing | { failure: Failure } | undefined> {
  if (request.credential === undefined || connection?.renew === undefined) return undefined;
  const failure = await connection.renew();
  return failure ?? withCredential(request);
}

function withoutCredential(from: Outgoing, to: Outgoing): ConsoleLine {
  const text = `${named(from)} redirects to ${to.url.origin}: the credential of the connection was not sent there.`;
  return { level: 'warn', text };
}

/** Sends, follows redirects, and reads. Errors are those of thrownFailure; `redirected` tells which request failed. */
async function exchange(
  agent: Agent,
  first: Outgoing,
  reading: BoundedReading,
  signal: AbortSignal,
  onTheWay: OnTheWay,
): Promise<ActionResult> {
  const startedAt = performance.now();
  let request = first;
  let isRefused = false;
  for (let redirects = 0; ; redirects += 1) {
    let response = await send(agent, request, signal, onTheWay);
    // Only once. A rejected request has had no effect, and a token may have been revoked early.
    if (response.statusCode === 401 && !isRefused) {
      isRefused = true;
      const again = await onTheWay.refused(request);
      if (again && 'failure' in again) {
        discard(response.body);
        return { ok: false, failure: again.failure };
      }
      if (again) {
        discard(response.body);
        request = again;
        response = await send(agent, request, signal, onTheWay);
      }
    }
    const next = reading.followRedirects && redirected(request, response.statusCode, header(response, 'location'));
    if (!next) return read(request, response, reading, startedAt);
    discard(response.body);
    if (next === 'invalid') {
      return failed(
        'HTTP_INVALID_RESPONSE',
        `${named(request)} redirects to an address that is neither http nor https.`,
      );
    }
    if (redirects === MAX_REDIRECTS) {
      return failed('HTTP_TOO_MANY_REDIRECTS', `${named(first)} redirects more than ${MAX_REDIRECTS} times.`);
    }
    request = next;
    onTheWay.redirected(next);
  }
}

function send(
  agent: Agent,
  request: Outgoing,
  signal: AbortSignal,
  { sent }: OnTheWay,
): Promise<Dispatcher.ResponseData> {
  const options: Dispatcher.RequestOptions & SentOptions = {
    origin: request.url.origin,
    path: request.url.pathname + request.url.search,
    method: request.method as Dispatcher.HttpMethod,
    headers: request.headers,
    body: request.body ?? null,
    signal,
    // The signal is the only time limit.
    headersTimeout: 0,
    bodyTimeout: 0,
    onSent: sent,
  };
  return agent.request(options);
}

async function read(
  request: Outgoing,
  response: Dispatcher.ResponseData,
  reading: BoundedReading,
  startedAt: number,
): Promise<ActionResult> {
  if (reading.failOnStatus && response.statusCode >= 400) {
    const body = await errorText(response);
    return statusFailure(request, response.statusCode, header(response, 'retry-after'), body);
  }
  const announced = request.method === 'HEAD' ? 0 : Number(header(response, 'content-length') ?? 0);
  if (announced > reading.maxBytes) {
    discard(response.body);
    throw new TooLarge(`is larger than ${reading.maxBytes} bytes`);
  }
  const bytes = await readBytes(response.body, header(response, 'content-encoding') ?? '', reading.maxBytes);
  return succeeded({
    status: response.statusCode,
    headers: Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [
        name,
        // Cookies cannot be joined, because they contain commas.
        Array.isArray(value) && name !== 'set-cookie' ? value.join(', ') : (value ?? ''),
      ]),
    ),
    body: bodyValue(bytes, header(response, 'content-type') ?? '', reading.responseType),
    durationMs: Math.round(performance.now() - startedAt),
  });
}

async function errorText({ body, headers }: Dispatcher.ResponseData): Promise<string | undefined> {
  const encoding = String(headers['content-encoding'] ?? '');
  const late = setTimeout(() => body.destroy(new InvalidResponse('its body did not come')), ERROR_BODY_MS);
  try {
    const bytes = await readBytes(body, encoding, MAX_ERROR_BYTES, 'cut');
    return textOf(bytes, String(headers['content-type'] ?? ''));
  } catch {
    // The status is the failure, whatever happens to the body. Nobody reads it if the call was stopped.
    return undefined;
  } finally {
    clearTimeout(late);
  }
}

function header(response: Dispatcher.ResponseData, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
