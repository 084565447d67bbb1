import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import type { LocalHint, ScopeRef } from '../../domain/execution/activityCalls.ts';
import { FAILURE } from '../../domain/execution/activityFailure.ts';
import { EngineAway } from '../../engine/engineAway.ts';
import { beginTry, endTries } from '../../prisma/store/execution/lostTries.ts';
import type { ActivityServices } from '../services.ts';

/**
 * Limits how often the work of a workflow task may take its worker down, such as an expression that needs all the
 * memory. Temporal gives the task to the next worker, which would go down too.
 *
 *   the workflow was in memory    nothing was lost: no statement, no question (the usual case)
 *   it was rebuilt                ask Temporal whether a worker had the task before and did not end it
 *   …no worker had                rebuilt after a pause or a restart: no statement
 *   …a worker had                 note each piece of work before it begins, one at a time, and delete the note after it:
 *                                 an existing note means that a worker was lost with this very piece
 */
export class LostTries {
  readonly #services: ActivityServices;
  readonly #ref: ScopeRef;
  readonly #begun: string[] = [];

  private constructor(services: ActivityServices, ref: ScopeRef) {
    this.#services = services;
    this.#ref = ref;
  }

  /** Returns undefined if no worker was lost with the task of this activity. */
  static async of(services: ActivityServices, ref: ScopeRef, hint: LocalHint): Promise<LostTries | undefined> {
    if (!hint.rebuilt) return undefined;
    const workflowId = activityInfo().workflowExecution?.workflowId;
    if (workflowId === undefined || !(await isTaskLost(services, workflowId))) return undefined;
    return new LostTries(services, ref);
  }

  /** Notes that the work begins. Returns whether to give it up; the loss before the first note counts too. */
  async isLost(work: string): Promise<boolean> {
    const { database, config, log } = this.#services;
    const key = `${work} ${this.#ref.iteration ?? ''}`;
    this.#begun.push(key);
    const before = await beginTry(database, this.#ref, key);
    const isLost = before > 0 && before + 1 >= config.WORKER_LOST_TRIES;
    const { executionId } = this.#ref;
    if (before > 0) log.warn({ executionId, work: key, times: before + 1, isLost }, 'workers were lost with this work');
    return isLost;
  }

  async done(): Promise<void> {
    if (this.#begun.length > 0) await endTries(this.#services.database, this.#ref, this.#begun);
  }
}

/** Returns false if Temporal is away: it would not receive the result of this activity either. */
async function isTaskLost({ engine }: ActivityServices, workflowId: string): Promise<boolean> {
  try {
    return await engine.isTaskLost(workflowId);
  } catch (error) {
    if (error instanceof EngineAway) return false;
    throw error;
  }
}

/** Wraps an activity, which is given up if workers are repeatedly lost with it. `work` names it within its scope. */
export function carefully<Call extends ScopeRef & { nodeId?: string }, Result>(
  work: string,
  activity: (services: ActivityServices, call: Call) => Promise<Result>,
) {
  return async (services: ActivityServices, call: Call, hint: LocalHint): Promise<Result> => {
    // An end with a known reason evaluates nothing.
    const evaluates = !('end' in call && typeof call.end === 'object' && call.end !== null && 'reason' in call.end);
    const tries = evaluates ? await LostTries.of(services, call, hint) : undefined;
    if (await tries?.isLost(`${work} ${call.nodeId ?? ''}`)) {
      await tries?.done();
      throw ApplicationFailure.nonRetryable('Workers were lost with it, again and again', FAILURE.workerLost);
    }
    const result = await activity(services, call);
    await tries?.done();
    return result;
  };
}
