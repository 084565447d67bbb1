import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../prisma/client.ts';
import { releaseDutyLeases, takeDutyLeases } from '../../prisma/store/operation/dutyLeases.ts';

export interface DutyLeasesOptions {
  database: Database;
  /** Without a renewal for so long a lease is another's. */
  leaseMs: number;
  /** No other process is on this database: leases that it finds are of one that has died. */
  isAlone: boolean;
  log: Logger;
}

/** Parts of a lease after which it is renewed. */
const RENEWALS = 3;
/** Spread over the processes that wait for the same lease to end, as a part of it. */
const SPREAD = 0.1;

/**
 * One process of all does a duty: who holds its lease, a row of the database. The holder renews it; all others ask again
 * when it would end, and ask nothing in between. A holder that dies loses it after `leaseMs`. A lease saves work and
 * protects nothing: for moments two may hold one, and a duty may run twice.
 */
export class DutyLeases {
  readonly #options: DutyLeasesOptions;
  readonly #holder = randomUUID();
  readonly #stopping = new AbortController();
  /** By this process's own clock, from before it asked. */
  readonly #until = new Map<string, number>();
  #waiting: (() => void)[] = [];
  #running: Promise<void> = Promise.resolve();
  #isAway = false;

  constructor(options: DutyLeasesOptions) {
    this.#options = options;
  }

  /** Asks for these duties from now on. Call once. */
  begin(duties: readonly string[]): void {
    this.#running = this.#renew(duties);
  }

  holds(duty: string): boolean {
    return (this.#until.get(duty) ?? 0) > performance.now();
  }

  /** How many duties are this process's now. */
  get count(): number {
    return [...this.#until.keys()].filter((duty) => this.holds(duty)).length;
  }

  /** Resolves when the duty is this process's, or after `stop`. */
  async held(duty: string): Promise<void> {
    while (!this.#stopping.signal.aborted && !this.holds(duty)) {
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
    if (this.count === 0) return;
    this.#until.clear();
    await releaseDutyLeases(database, this.#holder).catch((error: unknown) =>
      log.warn({ err: error }, 'the duties of this process are free when their leases end'),
    );
  }

  async #renew(duties: readonly string[]): Promise<void> {
    const { leaseMs } = this.#options;
    const { signal } = this.#stopping;
    let takeOver = this.#options.isAlone;
    while (!signal.aborted) {
      const othersEndInMs = await this.#take(duties, takeOver);
      if (othersEndInMs !== 'away') takeOver = false;
      this.#wake();
      const renewMs = leaseMs / RENEWALS;
      const waits = othersEndInMs === 'away' || this.count > 0 || othersEndInMs === null;
      const pauseMs = waits ? renewMs : Math.max(othersEndInMs, 0) + Math.random() * SPREAD * leaseMs;
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #take(duties: readonly string[], takeOver: boolean): Promise<number | null | 'away'> {
    const { database, leaseMs, log } = this.#options;
    const askedAt = performance.now();
    try {
      const { held, othersEndInMs } = await takeDutyLeases(database, this.#holder, duties, { leaseMs, takeOver });
      this.#until.clear();
      for (const duty of held) this.#until.set(duty, askedAt + leaseMs);
      this.#isAway = false;
      return othersEndInMs;
    } catch (error) {
      if (!this.#isAway) log.warn({ err: error }, 'the leases of duties could not be renewed');
      this.#isAway = true;
      return 'away';
    }
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const go of waiting) go();
  }
}
