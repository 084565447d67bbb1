import { CancellationScope, condition } from '@temporalio/workflow';

/**
 * Gives the events of a workflow (the end of an activity, a timer, a signal…) one order, live and in a replay: all
 * consequences of one event are done before the next is delivered. Core would mix them: in a replay it resolves local
 * activities with adjacent markers at once, together with the events before them, although each came alone when live.
 *
 *   an activation brings              events                        ends of local activities
 *   events alone                      delivered at once, together   -
 *   one end of a local activity       -                             delivered at once
 *   several ends, or ends and events  delivered at once, together   one by one, each after the consequences of the last
 */
export class Sequencer {
  readonly #events: (() => void)[] = [];
  readonly #localActivities: (() => void)[] = [];
  readonly #scope = new CancellationScope({ cancellable: false });
  #eventsPass = false;
  #localActivityPasses = false;
  #isPassing = false;

  /** Announces the events of an activation. Call it once the consequences of earlier events are done. */
  arrived({ events, localActivities }: { events: number; localActivities: number }): void {
    this.#eventsPass = events > 0;
    this.#localActivityPasses = events === 0 && localActivities === 1;
  }

  /** Resolves when the consequences of an event may begin, also in cancelled scopes. */
  nextEvent(): Promise<void> {
    return this.#eventsPass ? Promise.resolve() : this.#wait(this.#events);
  }

  nextLocalActivity(): Promise<void> {
    return this.#localActivityPasses ? Promise.resolve() : this.#wait(this.#localActivities);
  }

  #wait(among: (() => void)[]): Promise<void> {
    return new Promise((go) => {
      among.push(go);
      if (!this.#isPassing) void this.#pass();
    });
  }

  async #pass(): Promise<void> {
    this.#isPassing = true;
    while (this.#events.length + this.#localActivities.length > 0) {
      await this.#scope.run(afterAllElse);
      const go = this.#events.shift() ?? this.#localActivities.shift();
      go?.();
    }
    this.#isPassing = false;
  }
}

/** The SDK checks conditions once nothing else is left to do. It also checks at creation, which must not count. */
function afterAllElse(): Promise<void> {
  let isMade = false;
  return condition(() => {
    const isNext = isMade;
    isMade = true;
    return isNext;
  });
}
