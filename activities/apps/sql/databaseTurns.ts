import pLimit, { type LimitFunction } from 'p-limit';
import type { ServerPlace } from '../guard/serverPlace.ts';

export interface DatabasePlace extends ServerPlace {
  database: string;
  user: string;
}

/** Limits the connections of this process to one database: a server has few, and others need some. */
export class DatabaseTurns {
  readonly #most: number;
  readonly #lines = new Map<string, LimitFunction>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Throws the signal's reason if it aborts first. */
  async take<T>(
    { host, port, database, user }: DatabasePlace,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    const key = JSON.stringify([host, port, database, user]);
    const line = this.#lines.get(key) ?? pLimit(this.#most);
    this.#lines.set(key, line);
    let giveUp = () => {};
    const aborted = new Promise<never>((_, fail) => {
      giveUp = () => fail(signal.reason);
      signal.addEventListener('abort', giveUp, { once: true });
    });
    aborted.catch(() => undefined);
    try {
      const begun = line(() => {
        signal.removeEventListener('abort', giveUp);
        signal.throwIfAborted();
        return work();
      });
      return await Promise.race([begun, aborted]);
    } finally {
      signal.removeEventListener('abort', giveUp);
      if (line.activeCount === 0 && line.pendingCount === 0) this.#lines.delete(key);
    }
  }
}
