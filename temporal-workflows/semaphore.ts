import { CancellationScope } from '@temporalio/workflow';

/** Serves waiters in order of arrival. */
export class Semaphore {
  #free: number;
  readonly #line: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  tryTake(places = 1): boolean {
    if (this.#free < places) return false;
    this.#free -= places;
    return true;
  }

  /** Takes one place as soon as it is free. Throws if the scope is cancelled first. */
  async take(): Promise<void> {
    if (this.tryTake()) return;
    await new Promise<void>((go, cancelled) => {
      this.#line.push(go);
      CancellationScope.current().cancelRequested.catch((reason) => {
        const at = this.#line.indexOf(go);
        if (at === -1) return;
        this.#line.splice(at, 1);
        cancelled(reason);
      });
    });
  }

  give(places = 1): void {
    for (let place = 0; place < places; place += 1) {
      const go = this.#line.shift();
      if (go) go();
      else this.#free += 1;
    }
  }
}
