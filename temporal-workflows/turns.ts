import { CancellationScope, condition } from '@temporalio/workflow';

/**
 * What comes from outside a workflow (the end of an activity, a timer, a signal…) is taken in one at a time: all that
 * follows from one is done before the next is looked at. So it does not matter what arrives together. When a history is
 * replayed, more does than at first: Core resolves local activities whose markers follow each other at once, and with
 * the events before them, where each once came alone.
 */
export class Turns {
  readonly #waiting: symbol[] = [];

  /** Resolves when it is its turn, in the order of the calls, also in what is cancelled. */
  async take(): Promise<void> {
    const turn = Symbol('turn');
    this.#waiting.push(turn);
    await afterAllElse(() => this.#waiting[0] === turn);
    this.#waiting.shift();
  }

  /** The same for a local activity: behind all events that arrived with its end, whichever way they take to here. */
  async takeAfterEvents(): Promise<void> {
    await afterAllElse(() => true);
    await this.take();
  }
}

/** The SDK looks at conditions once nothing else is left to do; but at the moment they are made, too. */
function afterAllElse(isIt: () => boolean): Promise<void> {
  let isMade = false;
  return CancellationScope.nonCancellable(() =>
    condition(() => {
      if (isMade) return isIt();
      isMade = true;
      return false;
    }),
  );
}
