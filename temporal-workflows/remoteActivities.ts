import {
  ActivityCancellationType,
  type ActivityFailure,
  ApplicationFailure,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type {
  ActionResultMessage,
  ActionTask,
  ExecutionActivities,
  RegionStart,
} from '../domain/execution/activityCalls.ts';
import { summary } from '../domain/execution/summary.ts';
import { overflowQueue } from './names.ts';
import { Semaphore } from './semaphore.ts';
import { AT_ONCE } from './workflowBudget.ts';

/** How long a worker may be silent before its action is given to another. */
const HEARTBEAT_TIMEOUT_MS = 10_000;
/**
 * The activity enforces its own timeout, and holds its result while the database is away: only missing heartbeats show
 * a lost worker. Temporal requires a number, so it is long.
 */
const MAX_ABSENCE = '365 days';

/**
 * After a refusal, this many actions of the same workflow do not ask for a place. Counted and not timed, since
 * a replay that resolves local activities together has other times between them.
 */
const UNASKED = 20;

/** Remote activities, for any worker: actions with effects outside. */
export class RemoteActions {
  readonly #places = new Semaphore(AT_ONCE);
  #unasked = 0;

  /**
   * An action without a place waits for the end of another action of this workflow. The Temporal UI shows the text
   * beside it.
   */
  async run(text: string, task: ActionTask): Promise<ActionResultMessage> {
    if (!this.#places.tryTake()) await this.#places.take();
    try {
      return await this.#runInItsQueue(text, task);
    } finally {
      this.#places.give();
    }
  }

  /**
   * Where the workspace runs many actions, the worker sends this one to the overflow queue: there it waits among its
   * like, and delays no other workspace's.
   */
  async #runInItsQueue(text: string, task: ActionTask): Promise<ActionResultMessage> {
    if (this.#unasked > 0) {
      this.#unasked -= 1;
    } else {
      const result = await remote(text).runAction({ ...task, mayOverflow: true });
      if (!('overflow' in result)) return result;
      this.#unasked = UNASKED;
    }
    const queue = overflowQueue(workflowInfo().taskQueue);
    const result = await remote(text, queue).runAction(task);
    if ('overflow' in result) throw ApplicationFailure.nonRetryable('The overflow queue has sent an action on');
    return result;
  }
}

function remote(text: string, taskQueue?: string) {
  return proxyActivities<ExecutionActivities>({
    ...(taskQueue === undefined ? {} : { taskQueue }),
    summary: summary(text),
    startToCloseTimeout: MAX_ABSENCE,
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    // It gives up by itself where workers are lost again and again (activities/execution/runTry.ts).
    retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  });
}

/** The outcome after the engine has given up an attempt. */
export function lostAttempt(nodeId: string, attempt: number, { cause }: ActivityFailure): RegionStart {
  const isOurs = cause instanceof ApplicationFailure && cause.type === 'INTERNAL';
  return { nodeId, cause: 'lost', attempt, ...(isOurs ? { code: 'INTERNAL' } : {}) };
}
