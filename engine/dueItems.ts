import type { Logger } from 'pino';
import { LONGEST_TIMER_MS } from '../domain/limits.ts';
import type { Database } from '../prisma/client.ts';
import { promoteDue, readNextDue } from '../prisma/store/queueItem/dueItems.ts';
import { failExpiredLeases } from '../prisma/store/queueItem/failItem.ts';
import { OnePass } from './onePass.ts';
import type { QueueFeed } from './queueFeed.ts';

export interface DueItemsOptions {
  database: Database;
  feed: QueueFeed;
  log: Logger;
}

/** Items of one statement. */
const BATCH = 1_000;
/** A lease that ran out writes an error for its item: fewer at once. */
const LEASES = 100;
/** A clock that runs ahead of the database's finds nothing due yet. */
const SHORTEST_PAUSE_MS = 10;

/**
 * Puts items into the line of their queue when their time comes: retries and what is scheduled; and takes items back from those
 * whose lease ran out. One timer for the next of all
 * queues, in each process. It needs no timer of the engine: the times stand in the rows, every process has the same timer, and
 * the reconciler asks for the next time at each run, so a kill forgets nothing.
 */
export class DueItems {
  readonly #options: DueItemsOptions;
  readonly #unsubscribe: () => void;
  #timer: NodeJS.Timeout | undefined;
  #at = Number.POSITIVE_INFINITY;
  readonly #pass = new OnePass(() =>
    this.look().catch((error: unknown) =>
      this.#options.log.warn({ err: error }, 'items whose time has come wait for the reconciler'),
    ),
  );
  #stopped = false;

  constructor(options: DueItemsOptions) {
    this.#options = options;
    this.#unsubscribe = options.feed.subscribe(({ dueAt }) => {
      if (dueAt !== undefined) this.#wakeAt(dueAt);
    });
  }

  /**
   * Promotes what is due, returns items whose lease ran out, as an error does, and waits for what is next. Throws where the
   * database is away.
   */
  async look(): Promise<void> {
    const { database } = this.#options;
    for (;;) {
      const promoted = await promoteDue(database, BATCH);
      const items = promoted.reduce((sum, each) => sum + each.items, 0);
      if (items < BATCH || this.#stopped) break;
    }
    while (!this.#stopped && (await failExpiredLeases(database, LEASES)).length === LEASES);
    const inMs = await readNextDue(database);
    if (inMs !== undefined) this.#wakeAt(Date.now() + inMs);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    clearTimeout(this.#timer);
    await this.#pass.stop();
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
    this.#pass.wake();
  }
}
