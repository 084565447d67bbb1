import { CancellationScope, isCancellation, sleep } from '@temporalio/workflow';
import { summary } from '../domain/execution/summary.ts';

/** Folds a task's result; throws the task's error. */
export type Fold = () => void;

/** Runs the parallel branches of an execution. The loop folds finished tasks from one inbox, in order of arrival. */
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

  /** `scope`: the scope of the work, if it can be cancelled separately. */
  spawn(work: () => Promise<Fold>, scope = this.#scope): void {
    const task = this.#scope.run(async () => {
      try {
        this.post(await work());
      } catch (error) {
        // A task that was cancelled in the engine, not by its scope, must throw: its result would never come.
        if (isCancellation(error) && scope.consideredCancelled) return;
        this.post(() => {
          throw error;
        });
      }
    });
    this.#running.add(task);
    void task.finally(() => this.#running.delete(task));
  }

  /** The Temporal UI shows `text` next to the timer. Cancel the returned scope to stop it. */
  timer(ms: number, text: string, fold: Fold): CancellationScope {
    const scope = new CancellationScope({ parent: this.#scope, cancellable: true });
    const work = async () => {
      await sleep(ms, { summary: summary(text) });
      return fold;
    };
    this.spawn(() => scope.run(work), scope);
    return scope;
  }

  /** Waits until the inbox has results, then folds all of them. Throws when the execution is cancelled. */
  async next(): Promise<void> {
    if (this.#inbox.length === 0) await this.#arrival();
    for (let fold = this.#inbox.shift(); fold; fold = this.#inbox.shift()) fold();
  }

  /** Waits without `condition`, which would be checked only with the next event (sequencer.ts). */
  #arrival(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#arrived = resolve;
      CancellationScope.current().cancelRequested.catch(reject);
    });
  }

  async stop(): Promise<void> {
    this.#scope.cancel();
    await Promise.all(this.#running);
  }
}
