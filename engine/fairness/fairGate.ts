import { Shares } from './shares.ts';

/** Runs a read once it is its turn. */
export type Reading = <T>(read: () => Promise<T>) => Promise<T>;

/**
 * Admits at most `most` calls at once; one key gets at most as many places as remain free. Waiting calls are admitted
 * one key after the other, so a long queue of one key does not delay the others.
 */
export class FairGate {
  readonly #places: Shares;
  /** Lines by key; the key whose turn is next comes first. */
  readonly #lines = new Map<string, (() => void)[]>();
  #isOpen = false;

  constructor(most: number) {
    this.#places = new Shares(most);
  }

  /**
   * Resolves when it is its turn, to whether it had to wait for that; call `leave` once for each. Rejects with the reason of
   * `signal` where it aborts before: that one stands in line no more.
   */
  async enter(key: string, signal?: AbortSignal): Promise<boolean> {
    signal?.throwIfAborted();
    if (this.#isOpen || (!this.#lines.has(key) && this.#places.take(key))) return false;
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        this.#forget(key, go);
        reject(signal?.reason);
      };
      const line = this.#lines.get(key);
      if (line) line.push(go);
      else this.#lines.set(key, [go]);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
    return true;
  }

  /** From now on nobody waits. */
  open(): void {
    this.#isOpen = true;
    for (const line of this.#lines.values()) for (const go of line) go();
    this.#lines.clear();
  }

  /** The next waiting call gets the place. */
  leave(key: string): void {
    if (this.#isOpen) return;
    this.#places.giveBack(key);
    for (let next = this.#next(); next; next = this.#next()) next();
  }

  #forget(key: string, go: () => void): void {
    const line = this.#lines.get(key)?.filter((other) => other !== go) ?? [];
    if (line.length > 0) this.#lines.set(key, line);
    else this.#lines.delete(key);
  }

  #next(): (() => void) | undefined {
    for (const [key, line] of this.#lines) {
      if (!this.#places.take(key)) continue;
      this.#lines.delete(key);
      const next = line.shift();
      if (line.length > 0) this.#lines.set(key, line);
      return next;
    }
    return undefined;
  }
}
