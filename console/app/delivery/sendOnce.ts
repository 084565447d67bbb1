import { isEqualJson } from '../../../domain/isEqualJson.ts';
import { whenPersonLeaves } from '../storage/browserStorage.ts';

const KEPT_MS = 600_000;

/** Cannot match inside a string: quotes there are escaped. */
const CHECKS_ONLY = '"dryRun":true';

/** Whether the API may have executed the request: no answer came (0), or a proxy answered. */
export const isUnanswered = (status: number) => status === 0 || status >= 502;

/**
 * Writes without an answer, by address and content:
 *
 *     (new) --send--> open --answer--> (forgotten)
 *                      ^ |
 *                      +-+ no answer: the same write is sent under the same key
 *
 * `key`: the Idempotency-Key of the first try. A PATCH has none: its ETag is part of the content.
 */
const open = new Map<string, { key: string; at: number }>();

// The next person must not reuse these keys.
whenPersonLeaves(() => open.clear());

/** A `fetch` that executes an unanswered write only once, also if the person repeats it. */
export async function sendOnce(
  address: RequestInfo | URL,
  request: RequestInit = {},
  send: typeof fetch = fetch,
): Promise<Response> {
  const { body, method } = request;
  if (typeof body !== 'string') return send(address, request);
  const headers = new Headers(request.headers);
  const isChange = method === 'PATCH';
  const own = isChange ? '' : headers.get('idempotency-key');
  if (own === null || (!isChange && body.includes(CHECKS_ONLY))) return send(address, request);
  const write = isChange ? `${address} ${headers.get('if-match')} ${body}` : `${address} ${body}`;
  const at = Date.now();
  const before = open.get(write);
  const isAgain = before !== undefined && (isChange || at - before.at < KEPT_MS);
  const sent = isAgain ? before : { key: own, at };
  open.set(write, sent);
  if (!isChange) headers.set('idempotency-key', sent.key);
  const answer = await send(address, { ...request, headers });
  if (isUnanswered(answer.status)) return answer;
  // After an answer, the same content is a new write.
  for (const each of open.keys()) if (each.startsWith(`${address} `)) open.delete(each);
  return isChange && isAgain && answer.status === 412 ? ((await madeBefore(address, request, send)) ?? answer) : answer;
}

/** A repeated PATCH conflicts with its own first try. Returns the stored resource if it has the values of the PATCH. */
async function madeBefore(
  address: RequestInfo | URL,
  { body, ...request }: RequestInit,
  send: typeof fetch,
): Promise<Response | undefined> {
  const wanted = Object.entries(JSON.parse(String(body)) as Record<string, unknown>);
  const headers = new Headers(request.headers);
  headers.delete('if-match');
  headers.delete('content-type');
  const expansion = wanted.map(([name]) => name).join(',');
  const read = await send(`${address}?expansion=${expansion}`, { ...request, method: 'GET', headers });
  if (!read.ok) return undefined;
  const stored = (await read.clone().json()) as Record<string, unknown>;
  return wanted.every(([name, value]) => isEqualJson(stored[name] ?? null, value ?? null)) ? read : undefined;
}
