import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { ALL_BUCKETS } from '../../domain/buckets.ts';
import type { DueCondition } from '../../prisma/store/dueRows.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { isAway } from '../rowByRow.ts';
import type { Duty } from './duty.ts';
import type { DutyLeases } from './dutyLeases.ts';

const LOOK = 'look for work';

export interface ReconcilerOptions {
  findDue: (duties: readonly { name: string; due: DueCondition }[]) => Promise<ReadonlySet<string>>;
  log: Logger;
  leases?: DutyLeases;
  metrics?: Metrics;
}

/**
 * Repairs differences between rows and engine after a crash. Duties run in parallel, so that a failed or slow one does
 * not delay the others. One statement asks which shared duties have work, so that an idle worker sends few statements.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #stop = new AbortController();
  readonly #loops: Promise<unknown>;
  readonly #running = new Map<Duty, Promise<void>>();
  /** Names that wait for the engine or the database; one log line per outage. */
  readonly #waiting = new Set<string>();

  constructor(duties: readonly Duty[], options: ReconcilerOptions) {
    this.#options = options;
    const shared = duties.filter(({ due }) => due);
    const alone = duties.filter(({ due }) => !due);
    for (const duty of [...duties.map(({ name }) => name), ...(shared.length > 0 ? [LOOK] : [])]) {
      // Alerts use their growth, which Prometheus does not see in a first value.
      options.metrics?.count('perdure_reconciler_repairs_total', { duty }, 0);
      options.metrics?.count('perdure_reconciler_failures_total', { duty }, 0);
    }
    // Every duty listens, in its pause and while it runs; this is not a leak.
    setMaxListeners(0, this.#stop.signal);
    this.#loops = Promise.all([...alone.map((duty) => this.#lookAfter(duty)), this.#lookAfterShared(shared)]);
  }

  async stop(): Promise<void> {
    const { leases } = this.#options;
    this.#stop.abort();
    await leases?.stop();
    await this.#loops;
    await Promise.all(this.#running.values());
    await leases?.release();
  }

  async #lookAfter(duty: Duty): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#options.leases?.held(duty.name);
      if (signal.aborted) return;
      await this.#run(duty, ALL_BUCKETS);
      await this.#pause(duty.intervalMs);
    }
  }

  async #lookAfterShared(duties: readonly Duty[]): Promise<void> {
    if (duties.length === 0) return;
    const { signal } = this.#stop;
    const pauseMs = Math.min(...duties.map(({ intervalMs }) => intervalMs));
    const names = duties.map(({ name }) => name);
    const before = new Map<Duty, ReadonlySet<number>>();
    while (!signal.aborted) {
      await this.#options.leases?.held(...names);
      if (signal.aborted) return;
      const idle = duties.filter((duty) => !this.#running.has(duty));
      const due = await this.#dueOf(idle, before);
      for (const { duty, buckets } of due) {
        const run = this.#run(duty, buckets).then((isDone) => {
          this.#running.delete(duty);
          // Its next run treats all buckets as new.
          if (!isDone) before.delete(duty);
        });
        this.#running.set(duty, run);
      }
      await this.#pause(pauseMs);
    }
  }

  /** Returns the duties with work. One with a bucket that it did not have `before` always runs, to set its timers. */
  async #dueOf(
    duties: readonly Duty[],
    before: Map<Duty, ReadonlySet<number>>,
  ): Promise<{ duty: Duty; buckets: readonly number[] }[]> {
    const held = duties.flatMap((duty) => {
      const buckets = this.#options.leases?.bucketsOf(duty.name) ?? ALL_BUCKETS;
      const hasNew = buckets.some((bucket) => !before.get(duty)?.has(bucket));
      return [{ duty, buckets, hasNew }];
    });
    for (const { duty, buckets } of held) before.set(duty, new Set(buckets));
    const asked = held.flatMap(({ duty: { name, due }, buckets, hasNew }) =>
      due && buckets.length > 0 && !hasNew ? [{ name, due: due(buckets) }] : [],
    );
    const found = asked.length === 0 ? new Set() : await this.#namesOfDue(asked);
    return held.filter(({ duty, hasNew }) => hasNew || found.has(duty.name));
  }

  /** Returns all if the query fails: an unreadable condition must not delay other duties. */
  async #namesOfDue(asked: readonly { name: string; due: DueCondition }[]): Promise<ReadonlySet<string>> {
    let found: ReadonlySet<string> = new Set(asked.map(({ name }) => name));
    await this.#saying(LOOK, async () => {
      found = await this.#options.findDue(asked);
    });
    return found;
  }

  #run(duty: Duty, buckets: readonly number[]): Promise<boolean> {
    const repaired = (rows: number) =>
      this.#options.metrics?.count('perdure_reconciler_repairs_total', { duty: duty.name }, rows);
    return this.#saying(duty.name, () => duty.run(this.#stop.signal, repaired, buckets));
  }

  /** Returns whether it succeeded. Never rejects: counts and logs a failure. */
  async #saying(duty: string, act: () => Promise<void>): Promise<boolean> {
    const { log, metrics } = this.#options;
    try {
      await act();
      this.#waiting.delete(duty);
      return true;
    } catch (error) {
      metrics?.count('perdure_reconciler_failures_total', { duty });
      if (!isAway(error)) {
        log.warn({ err: error, duty }, 'a reconciling duty failed');
        return false;
      }
      if (!this.#waiting.has(duty)) log.warn({ err: error, duty }, 'the engine or the database is away');
      this.#waiting.add(duty);
      return false;
    }
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }
}
