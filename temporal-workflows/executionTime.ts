import { CancellationScope, isCancellation, sleep, workflowInfo } from '@temporalio/workflow';

export class ExecutionTime {
  isOver = false;
  readonly #ms: number | undefined;
  readonly #from: number;

  /** `ms`: undefined for no limit and no timer. `from`: epoch milliseconds. */
  constructor(ms: number | undefined, from = workflowInfo().startTime.getTime()) {
    this.#ms = ms;
    this.#from = from;
  }

  limit<T>(work: () => Promise<T>): Promise<T> {
    if (this.#ms === undefined) return work();
    const scope = new CancellationScope();
    void this.#expire(this.#ms, scope);
    return scope.run(work);
  }

  /** If the work ends first, the timer stays until the workflow ends. */
  async #expire(ms: number, scope: CancellationScope): Promise<void> {
    const over = this.#from + ms;
    try {
      await sleep(Math.max(over - Date.now(), 1), { summary: 'Timeout of the execution' });
    } catch (error) {
      if (isCancellation(error)) return;
      throw error;
    }
    this.isOver = true;
    scope.cancel();
  }
}
