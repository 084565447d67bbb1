import type { TurnStart } from '../agent/turnCalls.ts';
import type { WorkerTask } from '../app/workerTask.ts';
import type { JsonObject } from '../json.ts';
import type { ChildStart } from './childExecution.ts';

/** The result of a step for the workflow. It is in the history: inputs, outputs and messages stay in Postgres. */
export type Outcome =
  | { nodeId: string; status: 'COMPLETED'; handle?: string; stop?: 'completed' | 'failed' }
  /** Final: no attempt remains. The node's onError decides the next step. */
  | { nodeId: string; status: 'FAILED'; code: string }
  | { nodeId: string; status: 'RETRYING'; attempt: number; delayMs: number; code: string }
  /** Open until a submission, or until `expiresAt` (epoch milliseconds). */
  | { nodeId: string; status: 'NEEDS_INPUT'; expiresAt?: number }
  /** Open until `wakeAt` (epoch milliseconds); `delayMs` after the activity, a timer begins the region that ends it. */
  | { nodeId: string; status: 'WAITING'; wakeAt: number; delayMs: number }
  /** Open until the connection is authorized again or `until` (epoch milliseconds); then the attempt begins again. */
  | { nodeId: string; status: 'RECONNECT'; attempt: number; until: number }
  /** Open until the child execution has ended or, without `wait`, begun. */
  | { nodeId: string; status: 'CHILD'; start: ChildStart; wait: boolean }
  /**
   * Open until the agent turn has ended. `again`: the turn was already started, and another turn may now continue its
   * message. `asks`: a tool call awaits approval, and the step's timeout is paused.
   */
  | { nodeId: string; status: 'TURN'; start: TurnStart; again?: 'runs' | 'asks' }
  /** Open until the customer's worker has answered. */
  | { nodeId: string; status: 'WORKER'; attempt: number; task: WorkerTask }
  /** Open until its iterations have ended. With `loop`, the workflow runs them; without it, regions do. */
  | { nodeId: string; status: 'LOOPING'; loop?: LoopStart }
  /** A stop node inside this loop has ended the execution. */
  | { nodeId: string; status: 'STOPPED'; at: StoppedAt };

export interface LoopStart {
  /** Iterations; for a resumed forEach, the remaining ones; if expressions decide, the maximum. */
  total: number;
  concurrency: number;
  onItemError: 'stop' | 'continue';
  pauseMs?: number;
  /** Reused iterations of a resumed loop: the first of a repeat, any of a forEach. Others may have steps already. */
  kept?: number;
}

/** Iterations from `from` (inclusive) to `to` (exclusive) whose workflow was ended by hand or by Temporal. */
export interface LostIterations {
  from: number;
  to: number;
  /** `from` and `to` are positions among the remaining iterations of a retry. */
  ofRest?: true;
  how: 'cancelled' | 'terminated';
}

export interface StoppedAt {
  nodeId: string;
  iteration: string;
  stop: 'completed' | 'failed';
}

export interface LoopFailure {
  /** Counts from 0, like `loop.index`; the message counts from 1. */
  iteration: { nodeId: string; index: number };
  cause?: { nodeId: string; code: string };
}

export interface Failure {
  /** Stable, upper snake case: HTTP_STATUS, EXPRESSION_FAILED, TIMEOUT… */
  code: string;
  /** For people. It may contain data, so it never enters a history. */
  message: string;
  retryable: boolean;
  /** The response of the other side, for people; for HTTP `{url, status, body}`. */
  details?: JsonObject;
  ofLoop?: LoopFailure;
  /** Requested by the other side, e.g. Retry-After. */
  retryAfterMs?: number;
  /** Requested by a customer's worker in place of the policy's backoff. */
  retryInMs?: number;
}
