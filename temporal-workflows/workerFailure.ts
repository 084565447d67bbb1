import {
  ActivityFailure,
  ApplicationFailure,
  ChildWorkflowFailure,
  ServerFailure,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/workflow';
import { HEARTBEAT_TIMEOUT_MS, type WorkerFailure, type WorkerTask } from '../domain/app/workerTask.ts';
import { durationWritten } from '../domain/durationWords.ts';
import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts';
import { isDeeperThan, MAX_DEPTH } from '../domain/jsonDepth.ts';

/** Keeps codes short enough for filters and columns. */
const MAX_CODE_LENGTH = 200;

/** Returns why a call of a customer's worker failed; undefined for errors of the workflow itself. */
export function workerFailure(error: unknown, task: WorkerTask): WorkerFailure | undefined {
  if (!(error instanceof ActivityFailure || error instanceof ChildWorkflowFailure)) return undefined;
  const cause = innermost(error);
  if (cause instanceof ApplicationFailure) return applicationFailure(cause);
  if (cause instanceof TimeoutFailure) return timeoutFailure(cause, task);
  if (cause instanceof TerminatedFailure)
    return final('WORKFLOW_TERMINATED', 'The workflow was terminated in Temporal');
  // The server refuses results beyond its own limit, which is about 2 MB.
  if (cause instanceof ServerFailure)
    return final('WORKER_ANSWER_REFUSED', `Temporal refused the answer: ${cause.message}`);
  return final('WORKER_CANCELLED', 'The worker cancelled the work, though nobody asked it to');
}

function final(code: string, message: string): WorkerFailure {
  return { code, message, retryable: false };
}

/** A workflow's failure wraps that of its activity. */
function innermost(error: Error): unknown {
  let cause: unknown = error.cause;
  while ((cause instanceof ActivityFailure || cause instanceof ChildWorkflowFailure) && cause.cause)
    cause = cause.cause;
  return cause;
}

function timeoutFailure({ timeoutType }: TimeoutFailure, task: WorkerTask): WorkerFailure {
  const { isWorkflow, timeoutMs, heartbeatTimeoutMs = HEARTBEAT_TIMEOUT_MS } = task;
  if (timeoutType === 'HEARTBEAT') {
    const message = isWorkflow
      ? 'An activity of the workflow sent no heartbeat in time'
      : `No heartbeat within ${durationWritten(heartbeatTimeoutMs)}: the worker was lost, or the activity ran longer without sending any. Send heartbeats, or set heartbeatTimeoutMs of the action`;
    return { code: 'WORKER_LOST', message, retryable: true };
  }
  const within = timeoutMs === undefined ? 'in time' : `within ${durationWritten(timeoutMs)}`;
  return { code: 'TIMEOUT', message: `Not finished ${within}`, retryable: true };
}

function applicationFailure(cause: ApplicationFailure): WorkerFailure {
  const { message, type, nonRetryable, details } = cause;
  const retryInMs = nextRetryMs(cause);
  const shown = detailsOf(details);
  return {
    code: (type || 'WORKER_FAILED').slice(0, MAX_CODE_LENGTH),
    message,
    retryable: !nonRetryable,
    ...(shown === undefined ? {} : { details: shown }),
    ...(retryInMs === undefined ? {} : { retryInMs }),
  };
}

/** One object stays as it is; other details become a list. */
function detailsOf(details: readonly unknown[] | null | undefined): JsonObject | undefined {
  if (!details || details.length === 0 || isDeeperThan(details, MAX_DEPTH)) return undefined;
  const [only] = details as Json[];
  return details.length === 1 && isJsonObject(only) ? only : { details: details as Json[] };
}

/** The SDK does not copy the delay to the error that it makes of a failure. */
function nextRetryMs({ failure }: ApplicationFailure): number | undefined {
  const delay = failure?.applicationFailureInfo?.nextRetryDelay;
  if (!delay) return undefined;
  return Number(delay.seconds ?? 0) * 1_000 + Math.round((delay.nanos ?? 0) / 1_000_000);
}
