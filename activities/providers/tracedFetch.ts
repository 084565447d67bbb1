import { traceHeaders } from '../../engine/tracing/traceHeaders.ts';
import type { GuardedFetch } from './guardedFetch.ts';

export function tracedFetch(fetch: GuardedFetch): GuardedFetch {
  return (url, init) => {
    const headers = new Headers(init?.headers ?? (url instanceof Request ? url.headers : undefined));
    if (headers.has('traceparent')) return fetch(url, init);
    for (const [name, value] of Object.entries(traceHeaders())) headers.set(name, value);
    return fetch(url, { ...init, headers });
  };
}
