import type { Logger } from 'pino';
import { LONGEST_TIMER_MS } from '../domain/longestTimer.ts';
import type { Database } from '../prisma/client.ts';
import { promoteDue } from '../prisma/store/queueItem/promoteDue.ts';
import { readNextDue } from '../prisma/store/queueItem/readNextDue.ts';
import type { QueueFeed } from './queueFeed.ts';

export interface DueItemsOptions {
  database: Database;
  feed: QueueFeed;
  log: Logger;
}

/** Items of one statement. */
const BATCH = 1_000;
/** A clock that runs ahead of the database's finds nothing due yet. */
const SHORTEST_PAUSE_MS = 10;

/**
 * Puts items into the line of their queue when their time comes: retries and what is scheduled. One timer for the next of all
 * queues, in each process. It needs no timer of the engine: the times stand in the rows, every process has the same timer, and
 * the reconciler asks for the next time at each run, so a kill forgets nothing.
 */
export class DueItems {
  readonly #options: DueItemsOptions;
  readonly #unsubscribe: () => void;
  #timer: NodeJS.Timeout | undefined;
  #at = Number.POSITIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #stopped = false;

  constructor(options: DueItemsOptions) {
    this.#options = options;
    this.#unsubscribe = options.feed.subscribe(({ dueAt }) => {
      if (dueAt !== undefined) this.#wakeAt(dueAt);
    });
  }

  /** Promotes what is due, and waits for what is next. Throws where the database is away. */
  async look(): Promise<void> {
    const { database } = this.#options;
    for (;;) {
      const promoted = await promoteDue(database, BATCH);
      const items = promoted.reduce((sum, each) => sum + each.items, 0);
      if (items < BATCH || this.#stopped) break;
    }
    const inMs = await readNextDue(database);
    if (inMs !== undefined) this.#wakeAt(Date.now() + inMs);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    clearTimeout(this.#timer);
    await this.#looking;
  }

  /** The earliest time that was told counts: what comes then asks for the next. */
  #wakeAt(at: number): void {
    if (this.#stopped || this.#at <= at) return;
    clearTimeout(this.#timer);
    this.#at = at;
    const pauseMs = Math.min(Math.max(at - Date.now(), SHORTEST_PAUSE_MS), LONGEST_TIMER_MS);
    this.#timer = setTimeout(() => this.#wake(), pauseMs).unref();
  }

  #wake(): void {
    this.#at = Number.POSITIVE_INFINITY;
    const before = this.#looking ?? Promise.resolve();
    this.#looking = before
      .then(() => this.look())
      .catch((error: unknown) =>
        this.#options.log.warn({ err: error }, 'items whose time has come wait for the reconciler'),
      );
  }
}
