import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { summary } from '../domain/execution/summary.ts';

/** What is to be done with a task's result, in the loop. Throws what the task threw. */
export type Fold = () => void;

/**
 * What runs side by side in an execution: actions, regions, timers. A task that is done puts its result into the
 * inbox, where the loop folds it: state changes in one place, in the order of arrival.
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

  /** `scope`: the one in which the work is done, where that may be cancelled by itself. */
  spawn(work: () => Promise<Fold>, scope = this.#scope): void {
    const task = this.#scope.run(async () => {
      try {
        this.post(await work());
      } catch (error) {
        // What was cancelled by others, in the engine, is not to be waited for: it would never come.
        if (isCancellation(error) && scope.consideredCancelled) return;
        this.post(() => {
          throw error;
        });
      }
    });
    this.#running.add(task);
    void task.finally(() => this.#running.delete(task));
  }

  /** The text stands beside the timer in the Temporal UI. Cancel what is returned to stop it. */
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

  /** A condition would be looked at only when the next event is heard (sequencer.ts). */
  #arrival(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#arrived = resolve;
      CancellationScope.current().cancelRequested.catch(reject);
    });
  }

  /** Cancels what runs and waits until it has stopped. Its results are dropped. */
  async stop(): Promise<void> {
    this.#scope.cancel();
    await Promise.all(this.#running);
  }
}
