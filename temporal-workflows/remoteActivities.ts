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

/** How long a worker may be silent before another one gets its action. */
const HEARTBEAT_TIMEOUT_MS = 10_000;
/**
 * The activity enforces its own timeout, and keeps its result while the database is unavailable. Only missing
 * heartbeats show a lost worker. Temporal requires a number, so it is long.
 */
const MAX_ABSENCE = '365 days';

/**
 * Actions after a refusal that go directly to the overflow queue. A count, not a time: a replay that resolves local
 * activities together has different times between them.
 */
const DIRECT_ACTIONS = 20;

/** Runs actions with outside effects, on any worker. */
export class RemoteActions {
  readonly #places = new Semaphore(AT_ONCE);
  #direct = 0;

  run(text: string, task: ActionTask): Promise<ActionResultMessage> {
    return this.inPlace(() => this.#runInItsQueue(text, task));
  }

  /** Runs any activity or child in one of the places of this workflow. */
  async inPlace<T>(work: () => Promise<T>): Promise<T> {
    if (!this.#places.tryTake()) await this.#places.take();
    try {
      return await work();
    } finally {
      this.#places.give();
    }
  }

  /** Runs the action in the overflow queue if the workspace runs many, so that it delays no other workspace. */
  async #runInItsQueue(text: string, task: ActionTask): Promise<ActionResultMessage> {
    if (this.#direct > 0) {
      this.#direct -= 1;
    } else {
      const result = await remote(text).runAction({ ...task, mayOverflow: true });
      if (!('overflow' in result)) return result;
      this.#direct = DIRECT_ACTIONS;
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
    // The activity itself gives up after repeated losses of its worker (activities/execution/runTry.ts).
    retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  });
}

export function lostAttempt(nodeId: string, attempt: number, { cause }: ActivityFailure): RegionStart {
  const isOurs = cause instanceof ApplicationFailure && cause.type === 'INTERNAL';
  return { nodeId, cause: 'lost', attempt, ...(isOurs ? { code: 'INTERNAL' } : {}) };
}
