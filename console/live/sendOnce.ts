const KEPT_MS = 600_000;

/** Whether what was asked may have been done all the same: nobody answered (0), or something before the API. */
export const isUnanswered = (status: number) => status === 0 || status >= 502;

/** Keys of the writes that nobody answered, by address and what they say. */
const unanswered = new Map<string, { key: string; at: number }>();

/** When a person leaves: the next one sends nothing under their keys. */
export const forgetUnanswered = () => unanswered.clear();

/**
 * A request that a person sends again, since nobody answered it, has the Idempotency-Key of before: what was done already
 * is not done twice. Another answer at that address ends it, since the same words may then be meant once more.
 */
export async function sendOnce(
  address: RequestInfo | URL,
  request: RequestInit = {},
  send: typeof fetch = fetch,
): Promise<Response> {
  const headers = new Headers(request.headers);
  const own = headers.get('idempotency-key');
  if (own === null || typeof request.body !== 'string') return send(address, request);
  const said = `${address} ${request.body}`;
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
