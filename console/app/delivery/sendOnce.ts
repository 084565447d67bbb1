import { changeOnce, forgetChanges } from './changeOnce.ts';
import { isUnanswered } from './unanswered.ts';

const KEPT_MS = 600_000;

/** In a body this is no part of a text, where quotes are escaped. */
const CHECKS_ONLY = '"dryRun":true';

/** Keys of the writes that nobody answered, by address and what they say. */
const unanswered = new Map<string, { key: string; at: number }>();

/** When a person leaves: the next one sends nothing under their keys. */
export function forgetUnanswered(): void {
  unanswered.clear();
  forgetChanges();
}

/**
 * A request that a person sends again, since nobody answered it, has the Idempotency-Key of before: what was done already
 * is not done twice. Another answer at that address ends it, since the same words may then be meant once more; not that to a
 * check, which writes nothing. A change of what was read (PATCH) has no such key.
 */
export async function sendOnce(
  address: RequestInfo | URL,
  request: RequestInit = {},
  send: typeof fetch = fetch,
): Promise<Response> {
  const { body } = request;
  if (typeof body !== 'string') return send(address, request);
  if (request.method === 'PATCH') return changeOnce(address, { ...request, body }, send);
  const headers = new Headers(request.headers);
  const own = headers.get('idempotency-key');
  if (own === null || body.includes(CHECKS_ONLY)) return send(address, request);
  const said = `${address} ${body}`;
  const at = Date.now();
  const before = unanswered.get(said);
  const sent = before !== undefined && at - before.at < KEPT_MS ? before : { key: own, at };
  headers.set('idempotency-key', sent.key);
  unanswered.set(said, sent);
  const answer = await send(address, { ...request, headers });
  if (!isUnanswered(answer.status)) {
    for (const each of unanswered.keys()) if (each.startsWith(`${address} `)) unanswered.delete(each);
  }
  return answer;
}
