import type { ServerResponse } from 'node:http';
import { verifySignature } from '../../../client/signatures.ts';
import { type Loopback, loopback, type SeenCall } from './loopback.ts';

export interface SeenEvent {
  id: string;
  type: string;
  timestamp: string;
  // biome-ignore lint/suspicious/noExplicitAny: each type has its own
  data: any;
}

export interface EventReceiver extends Pick<Loopback, 'url' | 'close'> {
  /** In the order in which they came, each attempt. */
  seen: SeenEvent[];
  calls: SeenCall[];
}

/** Takes events, with 204 unless `answer` says another status; undefined: the answer is the test's own matter. */
export async function eventReceiver(
  answer: (event: SeenEvent, response: ServerResponse) => number | undefined = () => 204,
): Promise<EventReceiver> {
  const seen: SeenEvent[] = [];
  const { url, calls, close } = await loopback((call, response) => {
    const event = { id: String(call.headers['webhook-id']), ...JSON.parse(call.body) };
    seen.push(event);
    const status = answer(event, response);
    if (status !== undefined) response.writeHead(status).end();
  });
  return { url, seen, calls, close };
}

/** Throws where a call was not signed by the secret. */
export async function verified(calls: readonly SeenCall[], secret: string): Promise<void> {
  for (const { body, headers } of calls) await verifySignature({ body, headers, secret });
}
