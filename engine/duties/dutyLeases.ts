import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { bucketOf, bucketsOf } from '../../domain/buckets.ts';
import type { Database } from '../../prisma/client.ts';
import { type LeasedDuty, releaseDutyLeases, takeDutyLeases } from '../../prisma/store/operation/dutyLeases.ts';
import type { HeldBuckets } from './heldBuckets.ts';

export interface DutyLeasesOptions {
  database: Database;
  /** Without a renewal for so long a worker counts as dead, and its leases are free. */
  leaseMs: number;
  /** No other process is on this database: leases that it finds are of one that has died. */
  isAlone: boolean;
  log: Logger;
}

/** Parts of a lease after which it is renewed. */
const RENEWALS = 3;

interface Held {
  buckets: readonly number[];
  leases: number;
  /** By this process's own clock, from before it asked. */
  until: number;
}

const NONE: readonly number[] = [];

/**
 * Workers share the duties: each shard of a duty has a lease, a row of the database, and shares follow from the workers
 * that live. A worker renews its leases, and gives up those of a worker that has come; those of one that dies end after
 * `leaseMs`. A lease saves work and protects nothing: for moments two may hold one, and a duty may run twice.
 */
export class DutyLeases {
  readonly #options: DutyLeasesOptions;
  readonly #worker = randomUUID();
  readonly #stopping = new AbortController();
  #held = new Map<string, Held>();
  #waiting: (() => void)[] = [];
  #running: Promise<void> = Promise.resolve();
  #isAway = false;

  constructor(options: DutyLeasesOptions) {
    this.#options = options;
  }

  /** Asks for a share of these duties from now on. Call once. */
  begin(duties: readonly LeasedDuty[]): void {
    this.#running = this.#renew(duties);
  }

  holds(duty: string): boolean {
    return this.bucketsOf(duty).length > 0;
  }

  /** The buckets in which this process does the duty now. */
  bucketsOf(duty: string): readonly number[] {
    const held = this.#held.get(duty);
    return held && held.until > performance.now() ? held.buckets : NONE;
  }

  heldBuckets(duty: string): HeldBuckets {
    return {
      list: () => this.bucketsOf(duty),
      has: (workspaceId) => this.bucketsOf(duty).includes(bucketOf(workspaceId)),
    };
  }

  /** How many leases are this process's now: one for each shard of each duty. */
  get count(): number {
    const leases = [...this.#held].map(([duty, held]) => (this.holds(duty) ? held.leases : 0));
    return leases.reduce((sum, each) => sum + each, 0);
  }

  /** Resolves when a shard of one of the duties is this process's, or after `stop`. */
  async held(...duties: readonly string[]): Promise<void> {
    while (!this.#stopping.signal.aborted && !duties.some((duty) => this.holds(duty))) {
      await new Promise<void>((go) => this.#waiting.push(go));
    }
  }

  /** Nobody waits for a lease any more; those that are held stay so until `release`. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#running;
  }

  /** After `stop`, and when no duty runs any more: others may do them at once. */
  async release(): Promise<void> {
    const { database, log } = this.#options;
    this.#held.clear();
    await releaseDutyLeases(database, this.#worker).catch((error: unknown) =>
      log.warn({ err: error }, 'the duties of this process are free when their leases end'),
    );
  }

  async #renew(duties: readonly LeasedDuty[]): Promise<void> {
    const { leaseMs, isAlone } = this.#options;
    const { signal } = this.#stopping;
    for (let takeOver = isAlone; !signal.aborted; ) {
      if (await this.#take(duties, takeOver)) takeOver = false;
      this.#wake();
      await sleep(leaseMs / RENEWALS, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Whether the database has answered. */
  async #take(duties: readonly LeasedDuty[], takeOver: boolean): Promise<boolean> {
    const { database, leaseMs, log } = this.#options;
    const until = performance.now() + leaseMs;
    try {
      const taken = await takeDutyLeases(database, this.#worker, duties, { leaseMs, takeOver });
      const counts = new Map(duties.map(({ name, shards }) => [name, shards]));
      this.#held = new Map(
        taken.map(({ duty, shards }) => {
          const buckets = bucketsOf(shards, counts.get(duty) ?? 1);
          return [duty, { buckets, leases: shards.length, until }];
        }),
      );
      this.#isAway = false;
      return true;
    } catch (error) {
      if (!this.#isAway) log.warn({ err: error }, 'the leases of duties could not be renewed');
      this.#isAway = true;
      return false;
    }
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}
