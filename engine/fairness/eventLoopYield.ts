import { setImmediate } from 'node:timers/promises';

/** How long inline work may block the thread before other work has its turn. */
const MAX_MS = 20;

/** Yields between pieces of inline work, which would block heartbeats and requests for up to REGION_BUDGET_MS. */
export class EventLoopYield {
  #since = performance.now();

  /** Returns whether `take` is due. Read for each node, so it creates no promise. */
  get isDue(): boolean {
    return performance.now() - this.#since > MAX_MS;
  }

  async takeIfDue(): Promise<void> {
    if (this.isDue) await this.take();
  }

  async take(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
