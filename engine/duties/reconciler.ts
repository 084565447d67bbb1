import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Metrics } from '../metrics/metrics.ts';
import { isAway } from '../rowByRow.ts';
import type { Duty } from './duty.ts';
import type { DutyLeases } from './dutyLeases.ts';

/**
 * Repairs differences between rows and engine after a crash: runs each duty, pauses, and repeats it. Duties run in
 * parallel: a failed or slow duty does not delay the others. Of several workers one does a duty: who has its lease.
 */
export class Reconciler {
  readonly #log: Logger;
  readonly #leases: DutyLeases | undefined;
  readonly #metrics: Metrics | undefined;
  readonly #stop = new AbortController();
  readonly #running: Promise<unknown>;
  /** That wait for the engine or the database to be back: said once an absence. */
  readonly #waiting = new Set<Duty>();

  constructor(
    duties: readonly Duty[],
    log: Logger,
    { leases, metrics }: { leases?: DutyLeases; metrics?: Metrics } = {},
  ) {
    this.#log = log;
    this.#leases = leases;
    this.#metrics = metrics;
    for (const { name: duty } of duties) {
      // Alerts look at their growth, which Prometheus does not see in a first value.
      metrics?.count('perdure_reconciler_repairs_total', { duty }, 0);
      metrics?.count('perdure_reconciler_failures_total', { duty }, 0);
    }
    // Every duty listens, in its pause and while it runs: that is no leak.
    setMaxListeners(0, this.#stop.signal);
    this.#running = Promise.all(duties.map((duty) => this.#lookAfter(duty)));
  }

  /** Resolves when the running duties have ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#leases?.stop();
    await this.#running;
    await this.#leases?.release();
  }

  async #lookAfter(duty: Duty): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#leases?.held(duty.name);
      if (signal.aborted) return;
      await this.#run(duty);
      await sleep(duty.intervalMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #run(duty: Duty): Promise<void> {
    const about = { duty: duty.name };
    try {
      await duty.run(this.#stop.signal, (rows) =>
        this.#metrics?.count('perdure_reconciler_repairs_total', about, rows),
      );
      this.#waiting.delete(duty);
    } catch (error) {
      this.#metrics?.count('perdure_reconciler_failures_total', about);
      if (!isAway(error)) {
        this.#log.warn({ err: error, duty: duty.name }, 'a reconciling duty failed');
        return;
      }
      const isSaid = this.#waiting.has(duty);
      if (!isSaid) this.#log.warn({ err: error, duty: duty.name }, 'the engine or the database is away');
      this.#waiting.add(duty);
    }
  }
}
