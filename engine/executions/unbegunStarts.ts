import type { ExecutionStart } from '../engine.ts';
import type { ChangeFeed } from '../feeds/changeFeed.ts';

/** Nothing notifies us when an execution starts running in another process, so accepted ones are polled. */
const LOOK_MS = 250;
/** If no worker has taken it by then, it no longer counts. */
const SILENT_MS = 10_000;

interface Unbegun {
  /** Its first write was seen. */
  readonly hasBegun: boolean;
  /** Call it after the start call. `isNew`: the engine has a new start, which counts until it begins. */
  accepted(isNew: boolean): void;
}

/** Starts that no worker has begun. They take turns by workspace, so that the engine's queue stays short. */
export class UnbegunStarts {
  readonly #feed: ChangeFeed;
  readonly #leave: (workspaceId: string) => void;
  readonly #accepted = new Map<string, { since: number; pass: () => void }>();
  #look: NodeJS.Timeout | undefined;

  constructor(feed: ChangeFeed, leave: (workspaceId: string) => void) {
    this.#feed = feed;
    this.#leave = leave;
  }

  watch({ executionId, workspaceId }: ExecutionStart): Unbegun {
    let hasBegun = false;
    let isOnItsWay = true;
    let hasPassed = false;
    const pass = () => {
      if (hasPassed) return;
      hasPassed = true;
      unsubscribe();
      this.#accepted.delete(executionId);
      this.#leave(workspaceId);
    };
    const unsubscribe = this.#feed.subscribe(executionId, ({ status }) => {
      if (status === 'PENDING') return;
      hasBegun = true;
      if (!isOnItsWay) pass();
    });
    return {
      get hasBegun() {
        return hasBegun;
      },
      accepted: (isNew) => {
        isOnItsWay = false;
        if (!isNew || hasBegun) return pass();
        this.#accepted.set(executionId, { since: performance.now(), pass });
        this.#lookLater();
      },
    };
  }

  close(): void {
    clearTimeout(this.#look);
    for (const { pass } of [...this.#accepted.values()]) pass();
  }

  /** Reads all in one statement, except recent ones: nearly all of them begin soon. */
  #lookLater(): void {
    this.#look ??= setTimeout(async () => {
      const now = performance.now();
      for (const { since, pass } of [...this.#accepted.values()]) if (now - since > SILENT_MS) pass();
      const ids = [...this.#accepted].flatMap(([id, { since }]) => (now - since > LOOK_MS / 2 ? [id] : []));
      if (ids.length > 0) await this.#feed.look(ids);
      this.#look = undefined;
      if (this.#accepted.size > 0) this.#lookLater();
    }, LOOK_MS).unref();
  }
}
