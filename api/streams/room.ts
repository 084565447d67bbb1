import type { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';

export interface RoomOptions {
  /**
   * Tells all followers what is new to them, and is never called twice at a time. What it leaves for later is due at the
   * time that it answers (epoch milliseconds): until then it is not called again, unless something changes.
   */
  tell(): Promise<number | undefined>;
  /** The longest pause between two tellings of what changes quickly; its end is told at once. Milliseconds. */
  mostPauseMs: number;
  log: Logger;
  /** For the log: what is followed. */
  about: Record<string, string>;
}

const AGAIN_MS = 1_000;
/** After a telling comes a pause of so many times its length: following costs a share of the time, however much changes. */
const PAUSE_FACTOR = 3;

/**
 * One thing that is followed, whatever it is: `tell` reads it as a whole, or what an append-only log has beyond a cursor. Its
 * followers share each read. Changes that come while one is told, or in the pause after it, are told together.
 */
export class Room<Follower> {
  readonly followers = new Map<PassThrough, Follower>();
  readonly #options: RoomOptions;
  #telling = false;
  #stale = false;
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(options: RoomOptions) {
    this.#options = options;
  }

  /** A change said that nothing comes after it: nothing waits any more. */
  get ended(): boolean {
    return this.#ended;
  }

  changed(isLast: boolean): void {
    this.#stale = true;
    if (isLast) {
      this.#ended = true;
      this.#wake();
    }
    if (!this.#telling) void this.#tell();
  }

  /** True when it was the last follower. */
  left(stream: PassThrough): boolean {
    this.followers.delete(stream);
    if (this.followers.size > 0) return false;
    this.#wake();
    return true;
  }

  async #tell(): Promise<void> {
    this.#telling = true;
    while (this.#stale && this.followers.size > 0) {
      this.#stale = false;
      const began = Date.now();
      try {
        const dueAt = await this.#options.tell();
        await this.#pause(PAUSE_FACTOR * (Date.now() - began));
        if (dueAt !== undefined && !this.#stale) {
          await this.#pause(dueAt - Date.now());
          this.#stale = true;
        }
      } catch (error) {
        this.#options.log.warn(
          { err: error, ...this.#options.about },
          'a stream could not read its resource; it tries again',
        );
        // A change is told once.
        this.#stale = true;
        await sleep(AGAIN_MS, undefined, { ref: false });
      }
    }
    this.#telling = false;
  }

  async #pause(ms: number): Promise<void> {
    if (this.#ended || this.followers.size === 0 || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(ms, this.#options.mostPauseMs));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = () => undefined;
  }
}
