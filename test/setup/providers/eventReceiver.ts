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
  /** Each attempt, in order of arrival. */
  seen: SeenEvent[];
  calls: SeenCall[];
}

/** Accepts events with 204 or the status of `answer`; if it returns undefined, the test itself responds. */
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

export async function verified(calls: readonly SeenCall[], secret: string): Promise<void> {
  for (const { body, headers } of calls) await verifySignature({ body, headers, secret });
}
