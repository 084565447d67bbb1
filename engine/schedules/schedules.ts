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

/** Interval at which schedules are compared with the engine, where somebody may have removed them. */
export const CHECK_AGE_MS = 3_600_000;
/** How long a change waits for others that tell the engine of the same workflow; then the reconciler has it. */
const LOOK_PAUSE_MS = 50;
const MAX_LOOKS = 40;
/** After the reconciler got no answer: others come first, should it be this one alone that gets none. */
const UNANSWERED_PAUSE_MS = 10_000;
/** After a refusal of the engine. */
const REFUSED_PAUSE_MS = 60_000;

/**
 * Keeps the engine's schedules in step with the triggers of workflows. The database increments the revision of a
 * schedule with each change of its workflow's row; this class updates the engine and records the delivered revision.
 * Updates of one workflow run one at a time, so that an older state never overwrites a newer one.
 */
export class Schedules {
  readonly #options: SchedulesOptions;

  constructor(options: SchedulesOptions) {
    this.#options = options;
  }

  /**
   * Call it after a change of a workflow (upsert, pause, deletion). Never throws for an engine that is away: the
   * reconciler repeats the update.
   */
  async sync(workspaceId: string, workflowId: string): Promise<void> {
    const { database } = this.#options;
    for (let look = 0; look < MAX_LOOKS; look++) {
      const [claimed] = await claimSchedules(database, { workspaceId, workflowId });
      if (claimed) return this.#apply(claimed, 0).catch((error: unknown) => this.#tell(claimed, error));
      if (!(await isScheduleStale(database, workspaceId, workflowId))) return;
      // The reconciler, or another change of the workflow, is at it.
      await sleep(LOOK_PAUSE_MS);
    }
  }

  /** The reconciler's duty: at most `limit` that are not in step. Throws EngineAway, as rowByRow does. */
  async reconcile(buckets: readonly number[], limit: number): Promise<void> {
    const { database, log } = this.#options;
    const claimed = await claimSchedules(database, { checkAgeMs: CHECK_AGE_MS, buckets, limit });
    // Claims of schedules that it does not reach expire by themselves.
    await rowByRow(log, claimed, (each) => this.#apply(each, UNANSWERED_PAUSE_MS));
  }

  /** When the engine starts the workflow next; undefined if it will not. Throws EngineAway. */
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
