import type { Config } from '../../config.ts';
import { Problem } from '../../domain/problem.ts';
import type { Caller } from '../access/caller.ts';

/** A stream may end at any moment, so an early retry is worthwhile. */
const RETRY_AFTER_S = 5;

/** Counts open event streams by caller and by workspace. Each of API_PROCESSES enforces its part of the limits. */
export class StreamPlaces {
  readonly #most: { caller: number; workspace: number };
  readonly #open = new Map<string, number>();

  constructor(config: Pick<Config, 'MAX_STREAMS_PER_CALLER' | 'MAX_STREAMS_PER_WORKSPACE' | 'API_PROCESSES'>) {
    const part = (most: number) => Math.max(1, Math.floor(most / config.API_PROCESSES));
    this.#most = { caller: part(config.MAX_STREAMS_PER_CALLER), workspace: part(config.MAX_STREAMS_PER_WORKSPACE) };
  }

  /** Call the returned function once, when the stream has ended. Throws RATE_LIMITED if too many are open. */
  take(caller: Caller): () => void {
    const who = caller.kind === 'user' ? `user ${caller.userId}` : `key ${caller.apiKeyId}`;
    const places = [
      { key: `${caller.workspaceId} ${who}`, most: this.#most.caller, whose: 'this caller' },
      { key: caller.workspaceId, most: this.#most.workspace, whose: 'this workspace' },
    ];
    const full = places.find(({ key, most }) => (this.#open.get(key) ?? 0) >= most);
    if (full) {
      throw new Problem('RATE_LIMITED', `At most ${full.most} event streams may be open for ${full.whose}`, {
        retryAfter: RETRY_AFTER_S,
      });
    }
    for (const { key } of places) this.#open.set(key, (this.#open.get(key) ?? 0) + 1);
    return () => {
      for (const { key } of places) this.#leave(key);
    };
  }

  #leave(key: string): void {
    const left = (this.#open.get(key) ?? 0) - 1;
    if (left > 0) this.#open.set(key, left);
    else this.#open.delete(key);
  }
}
