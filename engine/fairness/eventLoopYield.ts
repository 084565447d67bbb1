import { setImmediate } from 'node:timers/promises';

/** Inline work may hold the process's thread for so long, and then others have their turn. */
const MAX_MS = 20;

/**
 * Between two pieces of inline work. Their awaits resolve at once, so without this pause heartbeats, requests and
 * streams of the same process would wait for a whole region: up to REGION_BUDGET_MS.
 */
export class EventLoopYield {
  #since = performance.now();

  /** Whether the thread was held for long: then `take` is due. Asked for each node, so it costs no promise. */
  get isDue(): boolean {
    return performance.now() - this.#since > MAX_MS;
  }

  /** For work whose pieces are promises anyway. */
  async takeIfDue(): Promise<void> {
    if (this.isDue) await this.take();
  }

  /** Resolves once all that is ready had its turn. */
  async take(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
