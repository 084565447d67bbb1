import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { canonicalJson } from '../../domain/workflow/canonical.ts';
import { triggerSchedule } from '../../domain/workflow/triggerSchedule.ts';
import type { Database } from '../../prisma/client.ts';
import { deletePollStorage } from '../../prisma/store/poll/writePollStorage.ts';
import { type ClaimedSchedule, claimSchedules, isScheduleStale } from '../../prisma/store/schedule/claimSchedules.ts';
import { readWorkflowTrigger } from '../../prisma/store/schedule/readWorkflowTrigger.ts';
import { deleteSchedule, releaseApplied, releaseUndone } from '../../prisma/store/schedule/releaseSchedule.ts';
import { EngineAway } from '../engineAway.ts';
import { rowByRow } from '../rowByRow.ts';
import type { EngineSchedules } from './temporalSchedules.ts';

export interface SchedulesOptions {
  database: Database;
  engine: EngineSchedules;
  log: Logger;
}

/** Interval for comparing schedules with the engine, where a person may have removed them. */
export const CHECK_AGE_MS = 3_600_000;
/** How often and how long a change waits for another update of the same workflow; then the reconciler has it. */
const LOOK_PAUSE_MS = 50;
const MAX_LOOKS = 40;
/** Pause after an unanswered call: other schedules come first, in case only this one gets no answer. */
const UNANSWERED_PAUSE_MS = 10_000;
const REFUSED_PAUSE_MS = 60_000;

/**
 * The database increments a schedule's revision with each change of its workflow's row; this class records the
 * delivered one. Updates of one workflow run one at a time, so that an older state never overwrites a newer one.
 */
export class Schedules {
  readonly #options: SchedulesOptions;

  constructor(options: SchedulesOptions) {
    this.#options = options;
  }

  /** Call it after a change of a workflow. Never throws for an unavailable engine: the reconciler retries. */
  async sync(workspaceId: string, workflowId: string): Promise<void> {
    const { database } = this.#options;
    for (let look = 0; look < MAX_LOOKS; look++) {
      const [claimed] = await claimSchedules(database, { workspaceId, workflowId });
      if (claimed) return this.#apply(claimed, 0).catch((error: unknown) => this.#tell(claimed, error));
      if (!(await isScheduleStale(database, workspaceId, workflowId))) return;
      // The reconciler, or another change of the workflow, is updating it.
      await sleep(LOOK_PAUSE_MS);
    }
  }

  /** Updates at most `limit` outdated schedules, for the reconciler. Throws EngineAway, as rowByRow does. */
  async reconcile(buckets: readonly number[], limit: number): Promise<void> {
    const { database, log } = this.#options;
    const claimed = await claimSchedules(database, { checkAgeMs: CHECK_AGE_MS, buckets, limit });
    // Unused claims expire by themselves.
    await rowByRow(log, claimed, (each) => this.#apply(each, UNANSWERED_PAUSE_MS));
  }

  /** Returns the next start by the engine; undefined if there is none. Throws EngineAway. */
  nextTime(workflowId: string): Promise<Date | undefined> {
    return this.#options.engine.nextTime(workflowId);
  }

  async #apply(claimed: ClaimedSchedule, unansweredPauseMs: number): Promise<void> {
    const { database, engine } = this.#options;
    const { workspaceId, workflowId } = claimed;
    try {
      const current = await readWorkflowTrigger(database, workspaceId, workflowId);
      const schedule = current?.isStarting ? triggerSchedule(current.trigger) : undefined;
      if (!current || !schedule) {
        if (claimed.applied !== null || claimed.isStale) await engine.remove(workflowId);
        if (current) await releaseApplied(database, claimed, null);
        else await this.#forget(workspaceId, workflowId);
        return;
      }
      const wanted = canonicalJson({ name: current.name, schedule });
      const isThere = claimed.applied === wanted && (claimed.isStale || (await engine.has(workflowId)));
      if (!isThere) await engine.put({ workspaceId, workflowId, name: current.name, schedule });
      await releaseApplied(database, claimed, wanted);
    } catch (error) {
      const undone =
        error instanceof EngineAway
          ? { againInMs: unansweredPauseMs }
          : { againInMs: REFUSED_PAUSE_MS, error: error instanceof Error ? error.message : String(error) };
      await releaseUndone(database, claimed, undone);
      throw error;
    }
  }

  async #forget(workspaceId: string, workflowId: string): Promise<void> {
    const { database } = this.#options;
    await deletePollStorage(database, workspaceId, workflowId);
    await deleteSchedule(database, workspaceId, workflowId);
  }

  #tell({ workflowId }: ClaimedSchedule, error: unknown): void {
    const away = error instanceof EngineAway;
    this.#options.log.warn({ workflowId, ...(away ? {} : { err: error }) }, 'the engine has not taken a schedule yet');
  }
}
