import type { Outgoing } from './outgoing.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** All other headers may be credentials (X-API-Key…) and are not sent to another origin. */
const HARMLESS_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'content-language',
  'content-type',
  'user-agent',
]);

/** Changes methods like browsers: 303, and POST on 301 and 302, to GET. `invalid`: Location is no http address. */
export function redirected(
  request: Outgoing,
  status: number,
  location: string | undefined,
): Outgoing | 'invalid' | undefined {
  if (!REDIRECTS.has(status) || location === undefined) return undefined;
  if (!URL.canParse(location, request.url.href)) return 'invalid';
  const url = new URL(location, request.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'invalid';
  url.username = '';
  url.password = '';

  const becomesGet =
    (status === 303 && request.method !== 'HEAD') || ((status === 301 || status === 302) && request.method === 'POST');
  const sameOrigin = url.origin === request.url.origin;
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(
      ([name]) =>
        (sameOrigin || HARMLESS_HEADERS.has(name)) &&
        !(becomesGet && (name.startsWith('content-') || name === 'idempotency-key')),
    ),
  );
  const { credential, ...rest } = request;
  const kept = credential !== undefined && headers[credential] !== undefined ? { credential } : {};
  if (becomesGet) return { method: 'GET', url, headers, ...kept };
  return { ...rest, url, headers, ...kept };
}
