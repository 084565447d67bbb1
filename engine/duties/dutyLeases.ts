import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { bucketOf, bucketsOf } from '../../domain/buckets.ts';
import type { Database } from '../../prisma/client.ts';
import { type LeasedDuty, releaseDutyLeases, takeDutyLeases } from '../../prisma/store/operation/dutyLeases.ts';
import type { HeldBuckets } from './heldBuckets.ts';

export interface DutyLeasesOptions {
  database: Database;
  /** A worker without a renewal for this time counts as dead, and its leases are free. */
  leaseMs: number;
  /** No other process uses this database: existing leases are from a process that died. */
  isAlone: boolean;
  log: Logger;
}

const RENEWALS = 3;

interface Held {
  buckets: readonly number[];
  leases: number;
  /** Measured by this process's own clock, from before its request. */
  until: number;
}

const NONE: readonly number[] = [];

/**
 * Divides the duties among live workers. Each shard of a duty has a lease, a row of the database; those of a dead
 * worker expire after `leaseMs`. A lease saves work and protects nothing: for moments two may hold one.
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

  /** Requests a share of these duties. Call once. */
  begin(duties: readonly LeasedDuty[]): void {
    this.#running = this.#renew(duties);
  }

  holds(duty: string): boolean {
    return this.bucketsOf(duty).length > 0;
  }

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

  get count(): number {
    const leases = [...this.#held].map(([duty, held]) => (this.holds(duty) ? held.leases : 0));
    return leases.reduce((sum, each) => sum + each, 0);
  }

  /** Resolves when this process holds a shard of one of the duties, or after `stop`. */
  async held(...duties: readonly string[]): Promise<void> {
    while (!this.#stopping.signal.aborted && !duties.some((duty) => this.holds(duty))) {
      await new Promise<void>((go) => this.#waiting.push(go));
    }
  }

  /** Stops renewing; existing leases stay until `release`. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wake();
    await this.#running;
  }

  /** Frees the leases for other processes. Call after `stop`, when no duty is running. */
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
