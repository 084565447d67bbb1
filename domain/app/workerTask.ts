import { loopKey } from '../execution/iteration.ts';
import type { Json, JsonObject } from '../json.ts';
import type { WireCall } from './wireCall.ts';

/** The default time without a heartbeat after which an activity counts as lost. */
export const HEARTBEAT_TIMEOUT_MS = 30_000;

/** `connection` is a single-use token. */
export type WorkerArgument = WireCall<string>;

export type TaskKind = 'activity' | 'workflow';

/** One call of a customer's worker, as the workflow makes it. It is in the history. */
export interface WorkerTask {
  taskQueue: string;
  /** The type of the activity or workflow. */
  type: string;
  isWorkflow?: true;
  /** Starts when a worker takes the activity, or when the workflow starts. Absent without a limit. */
  timeoutMs?: number;
  heartbeatTimeoutMs?: number;
  /** Size of the argument as JSON. */
  bytes: number;
  /** Absent if it is large: the workflow asks for it just before the call. */
  argument?: WorkerArgument;
}

export type WorkerResult = { output: Json } | { failure: WorkerFailure };

export interface WorkerFailure {
  code: string;
  message: string;
  retryable: boolean;
  details?: JsonObject;
  retryInMs?: number;
}

/** Larger arguments are read just before the call, because many outcomes share one message to the server. */
export const SMALL_ARGUMENT_BYTES = 2_048;

/** Names a call within its execution: the activity's id, and part of a workflow's. */
export function workerCallKey(iteration: string, nodeId: string, attempt: number): string {
  return `${loopKey(iteration, nodeId)}#${attempt}`;
}
