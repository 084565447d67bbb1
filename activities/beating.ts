import { setInterval } from 'node:timers';
import { Context } from '@temporalio/activity';

/** Does the work and heartbeats meanwhile: the engine hears that it lives, and it hears of a cancellation. */
export async function beating<T>(everyMs: number, work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
