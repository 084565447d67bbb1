import { CancellationScope, isCancellation, sleep, workflowInfo } from '@temporalio/workflow';

/** How long an execution may take. */
export class ExecutionTime {
  /** The time is over, and the work of `limit` was cancelled. */
  isOver = false;
  readonly #ms: number | undefined;
  readonly #from: number;

  /** Undefined: no limit, and no timer. `from`: epoch milliseconds. */
  constructor(ms: number | undefined, from = workflowInfo().startTime.getTime()) {
    this.#ms = ms;
    this.#from = from;
  }

  /** Runs the work, and cancels it when the time is over. */
  limit<T>(work: () => Promise<T>): Promise<T> {
    if (this.#ms === undefined) return work();
    const scope = new CancellationScope();
    void this.#expire(this.#ms, scope);
    return scope.run(work);
  }

  /** If the work ends first, the timer is left to end with the workflow. */
  async #expire(ms: number, scope: CancellationScope): Promise<void> {
    const over = this.#from + ms;
    try {
      await sleep(Math.max(over - Date.now(), 1), { summary: 'Timeout of the execution' });
    } catch (error) {
      // Somebody cancelled the execution first.
      if (isCancellation(error)) return;
      throw error;
    }
    this.isOver = true;
    scope.cancel();
  }
}
