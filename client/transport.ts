import { type Credential, credentialOf, type Identity } from './credential.ts';
import { OPERATIONS } from './operations.ts';
import type { OperationId } from './operationTypes.ts';
import { isProblem, PerdureProblem, problemOf, UNREACHABLE } from './problem.ts';
import { addressOf, type Given, requestOf } from './request.ts';
import { RETRY_LIMITS, type RetryLimits, withRetries } from './retries.ts';

export interface ClientSettings {
  /** URL of the API, with the path before `/api` if a proxy adds one. */
  url: string;
  /** Sent with each request. */
  headers?: Record<string, string>;
  /** Timeout of one try; 60,000 by default. */
  timeoutMs?: number;
  retries?: Partial<RetryLimits>;
  /** Replaces the environment's `fetch`. */
  fetch?: typeof globalThis.fetch;
}

/** Sends an operation's request. Resolves with any 2xx or 3xx answer, and rejects with a PerdureProblem otherwise. */
export type Send = (id: OperationId, given?: Given) => Promise<Response>;

const TIMEOUT_MS = 60_000;

export function createTransport(settings: ClientSettings & Identity): Send {
  const { url, timeoutMs: usualMs = TIMEOUT_MS, retries } = settings;
  const call = settings.fetch ?? ((...given: Parameters<typeof fetch>) => globalThis.fetch(...given));
  const limits = { ...RETRY_LIMITS, ...retries };
  const credential: Credential = credentialOf(settings, refresh);

  async function refresh(refreshToken: string): Promise<string | undefined> {
    try {
      const answer = await send('refreshToken', { body: { refresh_token: refreshToken } });
      return ((await answer.json()) as { access_token: string }).access_token;
    } catch (error) {
      if (error instanceof PerdureProblem && [400, 401, 403].includes(error.status)) return undefined;
      throw error;
    }
  }

  async function send(id: OperationId, given: Given = {}): Promise<Response> {
    const place = OPERATIONS[id];
    const address = addressOf(url, place, given);
    const request = requestOf(place, { ...given, headers: { ...settings.headers, ...given.headers } });
    const isRepeatable = request.method === 'GET' || request.headers.has('idempotency-key') || id === 'refreshToken';
    const token = place.isPublic && isAboutLogin(place.path) ? undefined : await credential.token();

    const attempt = async (bearer: string | undefined): Promise<Response> => {
      const headers = new Headers(request.headers);
      if (bearer !== undefined && !headers.has('authorization')) headers.set('authorization', `Bearer ${bearer}`);
      const answer = await answered(address, { ...request, headers, redirect: 'manual' }, given);
      if (answer.status < 400) return answer;
      throw await problemOf(answer);
    };

    const tried = (bearer: string | undefined) =>
      withRetries(() => attempt(bearer), isRepeatable, limits, { signal: given.signal });
    try {
      return await tried(token);
    } catch (error) {
      // Once. CONFIRMATION_REQUIRED is excluded: a new token does not make an old proof recent.
      if (token === undefined || !isProblem(error, 'UNAUTHENTICATED')) throw error;
      const renewed = await credential.renew(token);
      if (renewed === undefined) throw error;
      return await tried(renewed);
    }
  }

  /** The timeout covers the whole answer; for a stream or a download, only its beginning. */
  async function answered(
    address: string,
    init: RequestInit,
    { signal, timeoutMs = usualMs }: Given,
  ): Promise<Response> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), timeoutMs);
    const stop = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
    try {
      return await withBody(await call(address, { ...init, signal: stop }));
    } catch (cause) {
      signal?.throwIfAborted();
      const detail = late.signal.aborted ? `No answer within ${timeoutMs} ms` : 'The API cannot be reached';
      // The query may contain the token of a question.
      const [place] = address.split('?', 1);
      throw new PerdureProblem(0, { code: UNREACHABLE, detail: `${detail}: ${place}` }, { cause });
    } finally {
      clearTimeout(timer);
    }
  }

  return send;
}

/** Reads the body of JSON and refusals here, so that one that breaks off or never ends fails its try. */
async function withBody(answer: Response): Promise<Response> {
  const { ok, status, statusText, headers } = answer;
  const isJson = /[/+]json\b/.test(headers.get('content-type') ?? '');
  if (answer.body === null || (ok && !isJson)) return answer;
  return new Response(await answer.arrayBuffer(), { status, statusText, headers });
}

/** An old token must not block a new login. Webhooks and answers to questions do take a credential. */
function isAboutLogin(path: string): boolean {
  return path.startsWith('/api/auth/');
}
