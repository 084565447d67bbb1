import { isEqualJson } from '../../../domain/isEqualJson.ts';
import { isUnanswered } from './unanswered.ts';

/** Changes that nobody answered, by address, what they were made of, and what they say. */
const open = new Set<string>();

export const forgetChanges = () => open.clear();

/**
 * A change that nobody answered may have been made all the same; sent again, it meets its own ETag, and would read as somebody
 * else's. Where what stands there is what it says, that is its answer.
 */
export async function changeOnce(
  address: RequestInfo | URL,
  change: RequestInit & { body: string },
  send: typeof fetch,
): Promise<Response> {
  const headers = new Headers(change.headers);
  const said = `${address} ${headers.get('if-match')} ${change.body}`;
  const isAgain = open.has(said);
  open.add(said);
  const answer = await send(address, change);
  if (isUnanswered(answer.status)) return answer;
  for (const each of open) if (each.startsWith(`${address} `)) open.delete(each);
  if (!isAgain || answer.status !== 412) return answer;
  const { body, ...read } = change;
  const wanted = Object.entries(JSON.parse(body) as Record<string, unknown>);
  headers.delete('if-match');
  headers.delete('content-type');
  const expansion = wanted.map(([name]) => name).join(',');
  const now = await send(`${address}?expansion=${expansion}`, { ...read, method: 'GET', headers });
  if (!now.ok) return answer;
  const stands = (await now.clone().json()) as Record<string, unknown>;
  return wanted.every(([name, value]) => isEqualJson(stands[name] ?? null, value ?? null)) ? now : answer;
}
