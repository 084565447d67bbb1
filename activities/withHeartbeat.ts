import { setInterval } from 'node:timers';
import { Context } from '@temporalio/activity';

/** `details` reach the next try. They must contain no payload, because the engine stores them. */
export async function withHeartbeat<T>(everyMs: number, work: () => Promise<T>, details?: unknown): Promise<T> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(details), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
