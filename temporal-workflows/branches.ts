import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { summary } from '../domain/execution/summary.ts';

/** The handler of a task's result, called in the loop. Throws the error of the task. */
export type Fold = () => void;

/**
 * The parallel branches of an execution: actions, regions, timers. A finished task puts its result into the inbox,
 * where the loop folds it: state changes in one place, in order of arrival.
 */
export class Branches {
  readonly #scope = new CancellationScope();
  readonly #running = new Set<Promise<void>>();
  readonly #inbox: Fold[] = [];
  #arrived = () => {};

  get running(): number {
    return this.#running.size;
  }

  post(fold: Fold): void {
    this.#inbox.push(fold);
    this.#arrived();
  }

  /** `scope`: the scope of the work, if that may be cancelled by itself. */
  spawn(work: () => Promise<Fold>, scope = this.#scope): void {
    const task = this.#scope.run(async () => {
      try {
        this.post(await work());
      } catch (error) {
        // Do not wait for a task that was cancelled in the engine: its result would never come.
        if (isCancellation(error) && scope.consideredCancelled) return;
        this.post(() => {
          throw error;
        });
      }
    });
    this.#running.add(task);
    void task.finally(() => this.#running.delete(task));
  }

  /** The Temporal UI shows the text beside the timer. Cancel the returned scope to stop it. */
  timer(ms: number, text: string, fold: Fold): CancellationScope {
    const scope = new CancellationScope({ parent: this.#scope, cancellable: true });
    const work = async () => {
      await sleep(ms, { summary: summary(text) });
      return fold;
    };
    this.spawn(() => scope.run(work), scope);
    return scope;
  }

  /** Waits until there is something to fold, and folds all of it. Throws when the execution is cancelled. */
  async next(): Promise<void> {
    if (this.#inbox.length === 0) await this.#arrival();
    for (let fold = this.#inbox.shift(); fold; fold = this.#inbox.shift()) fold();
  }

  /** A `condition` would be checked only with the next event (sequencer.ts). */
  #arrival(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#arrived = resolve;
      CancellationScope.current().cancelRequested.catch(reject);
    });
  }

  /** Cancels all running tasks and waits until they have stopped. Drops their results. */
  async stop(): Promise<void> {
    this.#scope.cancel();
    await Promise.all(this.#running);
  }
}
