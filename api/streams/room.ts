import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Following } from '../../engine/feeds/changeFeed.ts';
import { type FollowerStream, send } from './eventStream.ts';

export interface RoomOptions {
  /** Follows the resource: each change, and whether nothing comes after it. Stopped when nobody is here any more. */
  follow(changed: (isLast: boolean) => void): Following;
  /**
   * Sends all followers their news; never called concurrently. Returns the time at which deferred news is due (epoch
   * milliseconds): it is not called again before, unless there is a change.
   */
  tell(): Promise<number | undefined>;
  /**
   * Longest pause between two reads while the resource changes quickly, milliseconds. The end of the resource cuts it
   * short.
   */
  mostPauseMs: number;
  log: Logger;
  /** Log fields of the followed resource. */
  about: Record<string, string>;
}

const AGAIN_MS = 1_000;
/**
 * After a delivery comes a pause of so many times its length: following costs a share of the time, however much
 * changes.
 */
const PAUSE_FACTOR = 3;

/**
 * A room: all followers of one resource in this process. `tell` reads the whole resource, or the part of an append-only
 * log after a cursor. Followers share each read. Changes during a read, or in the pause after it, are sent together.
 */
export class Room<Follower extends { hasBegun: boolean }> {
  readonly followers = new Map<FollowerStream, Follower>();
  readonly #options: RoomOptions;
  readonly #following: Following;
  #sending = false;
  #stale = false;
  #ended = false;
  #wake: () => void = () => undefined;

  constructor(options: RoomOptions) {
    this.#options = options;
    this.#following = options.follow((isLast) => this.#changed(isLast));
  }

  get streams(): FollowerStream[] {
    return [...this.followers.keys()];
  }

  /** A change said that nothing comes after it: nothing waits any more. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Resolves when no change is missed any more: what is read from then on is not too old. */
  async join(stream: FollowerStream, follower: Follower): Promise<void> {
    this.followers.set(stream, follower);
    await this.#following.begun();
  }

  /** To all that have their first event. */
  sendBegun(text: string): void {
    for (const [stream, { hasBegun }] of this.followers) if (hasBegun) send(stream, text);
  }

  #changed(isLast: boolean): void {
    this.#stale = true;
    if (isLast) {
      this.#ended = true;
      this.#wake();
    }
    if (!this.#sending) void this.#send();
  }

  /** True when nobody follows any more: the room is closed. */
  left(stream: FollowerStream): boolean {
    this.followers.delete(stream);
    if (this.followers.size > 0) return false;
    this.#wake();
    this.#following.stop();
    return true;
  }

  async #send(): Promise<void> {
    this.#sending = true;
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
        // A change is sent once.
        this.#stale = true;
        await sleep(AGAIN_MS, undefined, { ref: false });
      }
    }
    this.#sending = false;
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
