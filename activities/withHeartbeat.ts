import { setInterval } from 'node:timers';
import { Context } from '@temporalio/activity';

/**
 * Does the work and heartbeats meanwhile: the engine hears that it lives, and it hears of a cancellation. `details` go
 * with each heartbeat, for the try that comes after this one. No payload: the engine keeps them.
 */
export async function withHeartbeat<T>(everyMs: number, work: () => Promise<T>, details?: unknown): Promise<T> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(details), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
