import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Following } from '../../engine/feeds/changeFeed.ts';
import { type FollowerStream, send } from './eventStream.ts';

export interface RoomOptions {
  /** Follows the resource: reports each change and whether it is the last. Stopped when the last follower leaves. */
  follow(changed: (isLast: boolean) => void): Following;
  /** Never concurrent. Returns when deferred news is due, epoch milliseconds; a change calls it earlier. */
  tell(): Promise<number | undefined>;
  /** Maximum pause between two reads while the resource changes quickly, milliseconds. Its end cuts the pause short. */
  maxPauseMs: number;
  log: Logger;
  about: Record<string, string>;
}

const AGAIN_MS = 1_000;
/** The pause after a delivery is this multiple of its duration, so that following takes a bounded share of time. */
const PAUSE_FACTOR = 3;

/** Followers of one resource share each read. Changes during a read, or in the pause after it, are sent together. */
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

  get ended(): boolean {
    return this.#ended;
  }

  /** Resolves when no change is missed from now on, so that later reads are current. */
  async join(stream: FollowerStream, follower: Follower): Promise<void> {
    this.followers.set(stream, follower);
    await this.#following.begun();
  }

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
          'a stream could not read its resource; it is retried',
        );
        // A change is reported only once.
        this.#stale = true;
        await sleep(AGAIN_MS, undefined, { ref: false });
      }
    }
    this.#sending = false;
  }

  async #pause(ms: number): Promise<void> {
    if (this.#ended || this.followers.size === 0 || ms <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.min(ms, this.#options.maxPauseMs));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = () => undefined;
  }
}
