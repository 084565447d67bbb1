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
} from '../domain/app/workerTask.ts';
import { summary } from '../domain/execution/summary.ts';
import type { Json } from '../domain/json.ts';
import { isDeeperThan, MAX_DEPTH } from '../domain/jsonDepth.ts';
import { UnreadablePayload } from './payloadConverter.ts';
import { workerFailure } from './workerFailure.ts';

export interface WorkerCall {
  /** Shown in the Temporal UI. */
  text: string;
  /** workerCallKey. */
  key: string;
  /** Begins the id of a workflow. */
  parentId: string;
  task: WorkerTask;
  argument: WorkerArgument;
  /** Includes the wait for a worker. Absent: it may wait without limit. */
  wholeTimeoutMs?: number;
}

/** Calls an activity or a workflow of a customer's worker once. Throws if the scope is cancelled. */
export async function workerAnswer(call: WorkerCall): Promise<WorkerResult> {
  try {
    return resultOf(await (call.task.isWorkflow ? runChild(call) : runActivity(call)));
  } catch (error) {
    if (isCancellation(error) && CancellationScope.current().consideredCancelled) throw error;
    const failure = workerFailure(error, call.task);
    if (!failure) throw error;
    return { failure };
  }
}

function resultOf(output: unknown): WorkerResult {
  if (output instanceof UnreadablePayload) {
    const message = `The worker returned a payload (${output.encoding || 'without an encoding'}) that is no JSON`;
    return { failure: { code: 'OUTPUT_UNREADABLE', message, retryable: false } };
  }
  if (isDeeperThan(output, MAX_DEPTH)) {
    const message = `The output is nested too deeply; at most ${MAX_DEPTH} levels are allowed`;
    return { failure: { code: 'OUTPUT_TOO_DEEP', message, retryable: false } };
  }
  return { output: (output ?? null) as Json };
}

type Activities = Record<string, (argument: WorkerArgument) => Promise<unknown>>;

function runActivity({ text, key, task, argument, wholeTimeoutMs }: WorkerCall): Promise<unknown> {
  const { taskQueue, type, timeoutMs, heartbeatTimeoutMs = HEARTBEAT_TIMEOUT_MS } = task;
  const activities = proxyActivities<Activities>({
    taskQueue,
    activityId: key,
    summary: summary(text),
    startToCloseTimeout: timeoutMs ?? heartbeatTimeoutMs,
    heartbeatTimeout: heartbeatTimeoutMs,
    ...(wholeTimeoutMs === undefined ? {} : { scheduleToCloseTimeout: wholeTimeoutMs }),
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    // The step's own policy repeats it.
    retry: { maximumAttempts: 1 },
  });
  return (activities[type] as Activities[string])(argument);
}

/** The run is part of the id: after a reset the workflow of the earlier run may still be open. */
function runChild({ text, key, parentId, task, argument }: WorkerCall): Promise<unknown> {
  const { runId, typedSearchAttributes } = workflowInfo();
  const { taskQueue, type, timeoutMs } = task;
  return executeChild(type, {
    taskQueue,
    workflowId: `${parentId}/${key}/${runId}`,
    args: [argument],
    staticSummary: summary(text),
    typedSearchAttributes,
    ...(timeoutMs === undefined ? {} : { workflowExecutionTimeout: timeoutMs }),
    parentClosePolicy: 'REQUEST_CANCEL',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  });
}
