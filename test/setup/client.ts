import { checkAnswer } from './contract.ts';
import { checkPlaces } from './errorPlaces.ts';

export interface ApiAnswer {
  status: number;
  headers: Headers;
  /** JSON where it is JSON, text where it is text, undefined where it is empty or a stream. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape was checked just now
  body: any;
  /** For streams, which are not read. */
  response: Response;
}

export interface CallOptions {
  /** Sent as JSON; text as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export type Api = (method: string, path: string, options?: CallOptions) => Promise<ApiAnswer>;

/**
 * Calls an API by `url`. Every answer is checked against openapi.yaml: an undocumented status or shape fails the
 * test. `credential` is an API key or an access token.
 */
export function api(url: string, credential?: string): Api {
  return async (method, path, { body, headers, signal } = {}) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        ...(credential === undefined ? {} : { authorization: `Bearer ${credential}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
      redirect: 'manual',
    });
    const contentType = response.headers.get('content-type') ?? undefined;
    const read = contentType?.startsWith('text/event-stream') ? undefined : await bodyOf(response, contentType);
    const seen = { method, path: new URL(path, url).pathname, status: response.status, contentType, body: read };
    checkAnswer(seen);
    checkPlaces(method, new URL(path, url), body, read);
    if (response.headers.get('x-request-id') === null) throw new Error(`${method} ${path}: no X-Request-Id`);
    return { status: response.status, headers: response.headers, body: read, response };
  };
}

async function bodyOf(response: Response, contentType: string | undefined): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  return contentType !== undefined && /[/+]json\b/.test(contentType) ? JSON.parse(text) : text;
}
