import { bodyOf, checkedFetch } from './checkedFetch.ts';

export interface ApiAnswer {
  status: number;
  headers: Headers;
  /** Parsed JSON, text, or undefined if it is empty or a stream. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape was checked just now
  body: any;
  response: Response;
}

export interface CallOptions {
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export type Api = (method: string, path: string, options?: CallOptions) => Promise<ApiAnswer>;

/** Returns a client of the API at `url` that uses `checkedFetch`. `credential` is an API key or an access token. */
export function api(url: string, credential?: string): Api {
  return async (method, path, { body, headers, signal } = {}) => {
    const response = await checkedFetch(new URL(path, url), {
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
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    return {
      status: response.status,
      headers: response.headers,
      body: isStream ? undefined : await bodyOf(response),
      response,
    };
  };
}
