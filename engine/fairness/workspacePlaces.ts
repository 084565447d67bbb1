import { Shares } from './shares.ts';

/** Call once to give the place back. */
export type Leave = () => void;

export interface WorkspacePlacesOptions {
  /** Calls that run at once. */
  places: number;
  /** Calls that wait for a place at once. */
  waiting: number;
  /** How long each waits at most. */
  patienceMs: number;
}

interface Waiting {
  workspaceId: string;
  go(leave: Leave | undefined): void;
}

/**
 * Places of a process for one kind of calls (remote actions, polls, node tests), shared by workspaces. A call without a place
 * waits in a line that is shared too; the waiting call whose workspace holds the fewest places is next.
 */
export class WorkspacePlaces {
  readonly #running: Shares;
  readonly #queued: Shares;
  readonly #patienceMs: number;
  readonly #waiting = new Set<Waiting>();

  constructor({ places, waiting, patienceMs }: WorkspacePlacesOptions) {
    this.#running = new Shares(places);
    this.#queued = new Shares(waiting);
    this.#patienceMs = patienceMs;
  }

  /** Undefined: no place for this workspace, and none soon; or `signal` was aborted while the call waited. */
  enter(workspaceId: string, signal?: AbortSignal): Leave | undefined | Promise<Leave | undefined> {
    if (this.#running.take(workspaceId)) return this.#leaving(workspaceId);
    if (!this.#queued.take(workspaceId)) return undefined;
    return this.#wait(workspaceId, signal).finally(() => this.#queued.giveBack(workspaceId));
  }

  #wait(workspaceId: string, signal: AbortSignal | undefined): Promise<Leave | undefined> {
    return new Promise((resolve) => {
      const one = {
        workspaceId,
        go: (leave: Leave | undefined) => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', giveUp);
          this.#waiting.delete(one);
          resolve(leave);
        },
      };
      const giveUp = () => one.go(undefined);
      const timer = setTimeout(giveUp, this.#patienceMs);
      this.#waiting.add(one);
      signal?.addEventListener('abort', giveUp, { once: true });
      if (signal?.aborted) giveUp();
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
