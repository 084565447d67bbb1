import type { Logger } from 'pino';
import type { Database } from '../prisma/client.ts';
import { deleteExpired, EXPIRING_TABLES } from '../prisma/store/deleteExpired.ts';
import { deleteOldExecutions } from '../prisma/store/execution/deleteOldExecutions.ts';
import { releasableLines } from '../prisma/store/execution/heldLines.ts';
import { claimOpenExecutions, claimUnstarted, type OpenExecution } from '../prisma/store/execution/reconcileQueries.ts';
import type { Answers } from './answers.ts';
import type { ChangeFeed } from './changeFeed.ts';
import { closeAsEngineSays } from './closeAsEngineSays.ts';
import { type Engine, EngineAway } from './engine.ts';
import type { FailureHandler } from './failureHandler.ts';
import type { Releaser } from './releaser.ts';
import { isAway, rowByRow } from './rowByRow.ts';
import type { Schedules } from './schedules.ts';
import type { Starter } from './starter.ts';

export interface ReconcilerOptions {
  database: Database;
  engine: Engine;
  starter: Starter;
  feed: ChangeFeed;
  schedules: Schedules;
  answers: Answers;
  failures: FailureHandler;
  releaser: Releaser;
  intervalMs: number;
  /** Executions that ended earlier than so many days ago are deleted; 0 keeps them. */
  retentionDays: number;
  log: Logger;
}

/** Younger than this a start or a signal may still be on its way. */
const SETTLING_MS = 3_000;
const BATCH = 100;
/** Batches of one duty in a pass: a long backlog takes several passes, and the other duties have their turn. */
const ROUNDS = 10;
/** Lost starts that were none, to compare with the engine at a time; the others come up again. */
const MOST_KNOWN = 1_000;
/** What is deleted in one statement. */
const EXPIRED_BATCH = 1_000;
const RETENTION_BATCH = { executions: 100, steps: 5_000, iterations: 5_000 };
/** An open execution is compared with the engine at most this often: waiting costs nothing. */
const COMPARE_AGE_MS = 3_600_000;
/** Of bad ends between two looks; more are found by #compareOpen. */
const MOST_BAD_ENDS = 10_000;
/** How far back the first look for bad ends goes, and by how much later looks overlap. */
const FIRST_LOOK_BACK_MS = 86_400_000;
const OVERLAP_MS = 60_000;

/**
 * Brings rows and engine together where a process died in between: starts what was accepted and not started,
 * resends answers whose signal was lost, ends rows whose workflow ended without a word, lets go what is held and need
 * not be. Any number of workers may run it: each act is harmless when done twice. What fails for one row, or in one duty, holds
 * up no other; while the engine or the database is away (rowByRow), the pass ends.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  #timer: NodeJS.Timeout | undefined;
  #pass: Promise<void> = Promise.resolve();
  #stopped = false;
  #lookedAt: Date | undefined;
  /** To compare with the engine in the next pass. */
  readonly #known = new Set<string>();

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#schedule(0);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#pass;
  }

  #schedule(ms: number): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#pass = this.#run().finally(() => this.#schedule(this.#options.intervalMs));
    }, ms);
  }

  async #run(): Promise<void> {
    for (const duty of [
      this.#handleFailures,
      this.#startUnstarted,
      this.#resendInputs,
      this.#closeEndedBadly,
      this.#compareKnown,
      this.#compareOpen,
      this.#releaseHeld,
      this.#syncSchedules,
      this.#sweep,
      this.#forget,
    ]) {
      try {
        await duty.call(this);
      } catch (error) {
        const away = error instanceof EngineAway;
        this.#options.log.warn(away ? {} : { err: error }, away ? 'the engine is away' : 'a reconciling duty failed');
        if (isAway(error)) return;
      }
    }
  }

  /** Failures that nobody told of, or whose handler's start was lost. */
  async #handleFailures(): Promise<void> {
    await this.#options.failures.handleDue();
  }

  async #startUnstarted(): Promise<void> {
    await this.#inRounds(() => this.#startBatch());
  }

  /** Whether there may be more for which the line has a place. */
  async #startBatch(): Promise<boolean> {
    const { database, engine, starter, log } = this.#options;
    const unstarted = await claimUnstarted(database, SETTLING_MS, BATCH);
    let isAnyInLine = false;
    await rowByRow(log, unstarted, async (row) => {
      // One that was held waits as a child where its starter has begun it: it was not told, or has not heard yet.
      if (row.released && row.starterId !== null && (await engine.release(row.executionId))) return;
      // Its starter does it while it runs, and none but it: once it has ended, it cannot any more.
      if (row.starterId !== null && (await engine.describe(row.starterId)).kind === 'running') {
        this.#compareLater(row.executionId);
        return;
      }
      if (await starter.startAccepted(row, () => this.#compareLater(row.executionId))) isAnyInLine = true;
    });
    return isAnyInLine && unstarted.length === BATCH;
  }

  async #resendInputs(): Promise<void> {
    await this.#inRounds(() => this.#options.answers.tellUntold(SETTLING_MS, BATCH));
  }

  /** Terminated in the Temporal UI, timed out, failed in its own code: the row ends as the engine says. */
  async #closeEndedBadly(): Promise<void> {
    const { database, engine } = this.#options;
    const now = Date.now();
    const since = this.#lookedAt ?? new Date(now - FIRST_LOOK_BACK_MS);
    const executionIds = await engine.listEndedBadly(since, MOST_BAD_ENDS);
    const open = executionIds.length === 0 ? [] : await claimOpenExecutions(database, { executionIds });
    if (await this.#closeEnded(open)) this.#lookedAt = new Date(now - OVERLAP_MS);
  }

  /**
   * It is PENDING and cannot be started: its workflow waits for a worker, or has ended without a word. Tried again and
   * again, it is never among those that #compareOpen finds by their age.
   */
  #compareLater(executionId: string): void {
    if (this.#known.size < MOST_KNOWN) this.#known.add(executionId);
  }

  async #compareKnown(): Promise<void> {
    const executionIds = [...this.#known].slice(0, BATCH);
    if (executionIds.length === 0) return;
    for (const each of executionIds) this.#known.delete(each);
    await this.#closeEnded(await claimOpenExecutions(this.#options.database, { executionIds }));
  }

  async #compareOpen(): Promise<void> {
    const { database } = this.#options;
    await this.#closeEnded(await claimOpenExecutions(database, { ageMs: COMPARE_AGE_MS, limit: BATCH }));
  }

  /** What should go on and was not let go. */
  async #releaseHeld(): Promise<void> {
    const { database, releaser, log } = this.#options;
    const lines = await releasableLines(database, BATCH);
    await rowByRow(log, lines, ({ workspaceId, workflowId }) => releaser.release(workspaceId, workflowId));
  }

  /** What a workflow's change could not tell the engine. */
  async #syncSchedules(): Promise<void> {
    await this.#options.schedules.reconcile(BATCH);
  }

  async #sweep(): Promise<void> {
    const { database } = this.#options;
    for (const table of EXPIRING_TABLES) {
      await this.#inRounds(async () => (await deleteExpired(database, table, EXPIRED_BATCH)) === EXPIRED_BATCH);
    }
  }

  async #forget(): Promise<void> {
    const { database, retentionDays } = this.#options;
    if (retentionDays === 0) return;
    const most = RETENTION_BATCH;
    await this.#inRounds(async () => {
      const { executions, steps, iterations } = await deleteOldExecutions(database, retentionDays, most);
      return executions === most.executions || steps === most.steps || iterations === most.iterations;
    });
  }

  /** Goes on while there may be more to do. */
  async #inRounds(act: () => Promise<boolean>): Promise<void> {
    for (let round = 0; round < ROUNDS && !this.#stopped; round += 1) if (!(await act())) return;
  }

  /** Whether all could be done. */
  #closeEnded(rows: OpenExecution[]): Promise<boolean> {
    return rowByRow(this.#options.log, rows, (row) => closeAsEngineSays(this.#options, row));
  }
}
