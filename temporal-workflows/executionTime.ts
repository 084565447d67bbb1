import { CancellationScope, isCancellation, sleep, workflowInfo } from '@temporalio/workflow';

/** How long an execution may take. */
export class ExecutionTime {
  /** It has taken longer: what `limit` runs is cancelled. */
  isOver = false;
  readonly #ms: number | undefined;
  readonly #from: number;

  /** Undefined: as long as it likes; then there is no timer. `from`: epoch milliseconds. */
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

  /** The timer is left where the work ends before it: it ends with the workflow. */
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
