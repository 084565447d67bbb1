import { Shares } from '../../engine/shares.ts';

/** Call once to give the place back. */
export type Leave = () => void;

export interface ActionPlacesOptions {
  /** Actions that run at once. */
  places: number;
  /** Actions that wait for a place at once. */
  waiting: number;
  /** How long each waits at most. */
  patienceMs: number;
}

interface Waiting {
  workspaceId: string;
  go(leave: Leave | undefined): void;
}

/**
 * Places for the remote actions of a worker, shared by workspaces. An action without a place waits a moment, in case
 * the others are quick; the waiting action whose workspace holds the fewest places is next.
 */
export class ActionPlaces {
  readonly #running: Shares;
  readonly #queued: Shares;
  readonly #patienceMs: number;
  readonly #waiting = new Set<Waiting>();

  constructor({ places, waiting, patienceMs }: ActionPlacesOptions) {
    this.#running = new Shares(places);
    this.#queued = new Shares(waiting);
    this.#patienceMs = patienceMs;
  }

  /** Undefined: no place for this workspace, and none soon. */
  enter(workspaceId: string): Leave | undefined | Promise<Leave | undefined> {
    if (this.#running.take(workspaceId)) return this.#leaving(workspaceId);
    if (!this.#queued.take(workspaceId)) return undefined;
    return this.#wait(workspaceId).finally(() => this.#queued.giveBack(workspaceId));
  }

  #wait(workspaceId: string): Promise<Leave | undefined> {
    return new Promise((resolve) => {
      const one = {
        workspaceId,
        go: (leave: Leave | undefined) => {
          clearTimeout(timer);
          this.#waiting.delete(one);
          resolve(leave);
        },
      };
      const timer = setTimeout(() => one.go(undefined), this.#patienceMs);
      this.#waiting.add(one);
    });
  }

  #leaving(workspaceId: string): Leave {
    return () => {
      this.#running.giveBack(workspaceId);
      for (;;) {
        const next = this.#next();
        if (!next || !this.#running.take(next.workspaceId)) return;
        next.go(this.#leaving(next.workspaceId));
      }
    };
  }

  #next(): Waiting | undefined {
    const held = (one: Waiting) => this.#running.held(one.workspaceId);
    let next: Waiting | undefined;
    for (const one of this.#waiting) if (!next || held(one) < held(next)) next = one;
    return next;
  }
}
