import type { Logger } from 'pino';
import { MAX_TIMER_MS } from '../../domain/limits.ts';
import type { Database } from '../../prisma/client.ts';
import { promoteDue, readNextDue } from '../../prisma/store/queueItem/dueItems.ts';
import { failExpiredLeases } from '../../prisma/store/queueItem/failItem.ts';
import type { HeldBuckets } from '../duties/heldBuckets.ts';
import { OnePass } from '../onePass.ts';
import type { QueueFeed } from './queueFeed.ts';

export interface DueItemsOptions {
  database: Database;
  feed: QueueFeed;
  log: Logger;
  buckets: HeldBuckets;
}

const BATCH = 1_000;
/** Fewer at once: an expired lease writes an error for its item. */
const LEASES = 100;
/** A clock ahead of the database's finds nothing due yet. */
const MIN_PAUSE_MS = 10;

/**
 * Makes retries and scheduled items ready on time, and returns items with an expired lease. One timer waits for the
 * next item; each run of the reconciler reads it from the rows, so a killed process loses nothing.
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
    this.#unsubscribe = options.feed.subscribe(({ workspaceId, dueAt }) => {
      if (dueAt !== undefined && options.buckets.has(workspaceId)) this.#wakeAt(dueAt);
    });
  }

  /** Promotes due items, fails expired leases, and sets the next timer. Throws if the database is unavailable. */
  async look(): Promise<void> {
    const { database } = this.#options;
    const buckets = this.#options.buckets.list();
    for (;;) {
      const promoted = await promoteDue(database, buckets, BATCH);
      const items = promoted.reduce((sum, each) => sum + each.items, 0);
      if (items < BATCH || this.#stopped) break;
    }
    while (!this.#stopped && (await failExpiredLeases(database, buckets, LEASES)).length === LEASES);
    const inMs = await readNextDue(database, buckets);
    if (inMs !== undefined) this.#wakeAt(Date.now() + inMs);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe();
    clearTimeout(this.#timer);
    await this.#pass.stop();
  }

  /** The earliest announced time wins; its run reads the next one. */
  #wakeAt(at: number): void {
    if (this.#stopped || this.#at <= at) return;
    clearTimeout(this.#timer);
    this.#at = at;
    const pauseMs = Math.min(Math.max(at - Date.now(), MIN_PAUSE_MS), MAX_TIMER_MS);
    this.#timer = setTimeout(() => this.#wake(), pauseMs).unref();
  }

  #wake(): void {
    this.#at = Number.POSITIVE_INFINITY;
    this.#pass.wake();
  }
}
