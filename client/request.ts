import { newIdempotencyKey } from './idempotencyKey.ts';
import type { OperationPlace } from './operations.ts';

export interface Given {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  idempotencyKey?: string;
  timeoutMs?: number;
}

/** Returns the address of an operation. Throws a TypeError that names a missing path member. */
export function addressOf(url: string, { path }: Pick<OperationPlace, 'path'>, given: Given): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = given.path?.[name];
    if (value === undefined || value === null || value === '')
      throw new TypeError(`path.${name} is required for ${path}`);
    return encodeURIComponent(String(value));
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(given.query ?? {})) append(search, name, value);
  const text = search.toString();
  return `${url.replace(/\/+$/, '')}${filled}${text === '' ? '' : `?${text}`}`;
}

/** A list becomes one parameter with commas, an object one parameter for each member (`form`, exploded). */
function append(search: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (Array.isArray(value)) search.append(name, value.join(','));
  else if (typeof value === 'object') for (const [key, each] of Object.entries(value)) append(search, key, each);
  else search.append(name, String(value));
}

export function requestOf(place: OperationPlace, given: Given): { method: string; headers: Headers; body?: BodyInit } {
  const headers = new Headers(given.headers);
  if (!headers.has('accept')) headers.set('accept', place.isStream ? 'text/event-stream' : '*/*');
  if (place.isKeyed && !headers.has('idempotency-key')) {
    headers.set('idempotency-key', given.idempotencyKey ?? newIdempotencyKey());
  }
  if (given.body === undefined) return { method: place.method, headers };
  if (isSentAsItIs(given.body)) return { method: place.method, headers, body: given.body };
  headers.set('content-type', 'application/json');
  return { method: place.method, headers, body: JSON.stringify(given.body) };
}

/** Forms and bytes, for webhooks that accept them. A string is sent as JSON, like any other value. */
function isSentAsItIs(body: unknown): body is FormData | URLSearchParams | Blob {
  return body instanceof FormData || body instanceof URLSearchParams || body instanceof Blob;
}
