import {
  ActivityCancellationType,
  CancellationScope,
  executeChild,
  isCancellation,
  proxyActivities,
  workflowInfo,
} from '@temporalio/workflow';
import {
  HEARTBEAT_TIMEOUT_MS,
  type WorkerArgument,
  type WorkerResult,
  type WorkerTask,
  workerCallKey,
} from '../domain/app/workerTask.ts';
import type { ScopeRef } from '../domain/execution/activityCalls.ts';
import type { Outcome } from '../domain/execution/outcome.ts';
import { summary } from '../domain/execution/summary.ts';
import type { Json } from '../domain/json.ts';
import { isDeeperThan, MAX_DEPTH } from '../domain/jsonDepth.ts';
import type { PlanNode } from '../domain/workflow/plan.ts';
import { local } from './localActivities.ts';
import { UnreadablePayload } from './payloadConverter.ts';
import type { RemoteActions } from './remoteActivities.ts';
import { Semaphore } from './semaphore.ts';
import { TaskBytes } from './taskBytes.ts';
import { workerFailure } from './workerFailure.ts';
import type { HistoryBudget } from './workflowBudget.ts';

/** Each result may have 2 MB, the limit of the server, and a history ends at 50 MB. */
const CALLS_AT_ONCE = 20;

export type WorkerOutcome = Extract<Outcome, { status: 'WORKER' }>;

/** Calls activities and workflows of the customers' own workers. */
export class WorkerCalls {
  readonly #actions: RemoteActions;
  readonly #budget: HistoryBudget;
  readonly #places = new Semaphore(CALLS_AT_ONCE);
  readonly #taskBytes = new TaskBytes();

  constructor(actions: RemoteActions, budget: HistoryBudget) {
    this.#actions = actions;
    this.#budget = budget;
  }

  /** Throws if the scope is cancelled. */
  async run(node: PlanNode, ref: ScopeRef, { attempt, task }: WorkerOutcome): Promise<WorkerResult> {
    await this.#places.take();
    try {
      const argument = task.argument ?? (await this.#largeArgument(node, ref, attempt, task.bytes));
      const text = attempt === 1 ? node.label : `${node.label} (attempt ${attempt})`;
      const key = workerCallKey(ref.iteration ?? '', node.id, attempt);
      return await this.#actions.inPlace(() => this.#call(text, ref, key, task, argument));
    } finally {
      this.#places.give();
    }
  }

  async #largeArgument(node: PlanNode, ref: ScopeRef, attempt: number, bytes: number): Promise<WorkerArgument> {
    await this.#taskBytes.take(bytes);
    return local(`Reads: ${node.label}`).workerArgument({ ...ref, nodeId: node.id, attempt });
  }

  async #call(
    text: string,
    ref: ScopeRef,
    key: string,
    task: WorkerTask,
    argument: WorkerArgument,
  ): Promise<WorkerResult> {
    try {
      const output = await (task.isWorkflow
        ? runChild(text, ref, key, task, argument)
        : runActivity(text, key, task, argument));
      return this.#resultOf(output);
    } catch (error) {
      if (isCancellation(error) && CancellationScope.current().consideredCancelled) throw error;
      const failure = workerFailure(error, task.timeoutMs);
      if (!failure) throw error;
      return { failure };
    }
  }

  #resultOf(output: unknown): WorkerResult {
    if (output instanceof UnreadablePayload) {
      const message = `The worker returned ${output.encoding || 'a value'} that is no JSON`;
      return { failure: { code: 'OUTPUT_UNREADABLE', message, retryable: false } };
    }
    if (isDeeperThan(output, MAX_DEPTH)) {
      const message = `The output is nested too deeply; at most ${MAX_DEPTH} levels are allowed`;
      return { failure: { code: 'OUTPUT_TOO_DEEP', message, retryable: false } };
    }
    const json = (output ?? null) as Json;
    this.#budget.spendBytes(JSON.stringify(json).length);
    return { output: json };
  }
}

function runActivity(text: string, activityId: string, task: WorkerTask, argument: WorkerArgument): Promise<unknown> {
  const { taskQueue, type, timeoutMs, heartbeatTimeoutMs = HEARTBEAT_TIMEOUT_MS } = task;
  const activities = proxyActivities<Record<string, (argument: WorkerArgument) => Promise<unknown>>>({
    taskQueue,
    activityId,
    summary: summary(text),
    startToCloseTimeout: timeoutMs ?? heartbeatTimeoutMs,
    heartbeatTimeout: heartbeatTimeoutMs,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    // The step's own policy repeats it.
    retry: { maximumAttempts: 1 },
  });
  return (activities[type] as (argument: WorkerArgument) => Promise<unknown>)(argument);
}

/** The run is part of the id: after a reset the workflow of the earlier run may still be open. */
function runChild(
  text: string,
  { executionId }: ScopeRef,
  key: string,
  { taskQueue, type, timeoutMs }: WorkerTask,
  argument: WorkerArgument,
): Promise<unknown> {
  const { runId, typedSearchAttributes } = workflowInfo();
  return executeChild(type, {
    taskQueue,
    workflowId: `${executionId}/${key}/${runId}`,
    args: [argument],
    staticSummary: summary(text),
    typedSearchAttributes,
    ...(timeoutMs === undefined ? {} : { workflowExecutionTimeout: timeoutMs }),
    parentClosePolicy: 'REQUEST_CANCEL',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  });
}
