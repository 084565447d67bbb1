import type { TurnStart } from '../agent/turnCalls.ts';
import type { JsonObject } from '../json.ts';
import type { ChildStart } from './childExecution.ts';

/**
 * The result of a step, from the activity to the workflow. It is small and without payload, because it is in the
 * history. Inputs, outputs and messages stay in Postgres.
 */
export type Outcome =
  | { nodeId: string; status: 'COMPLETED'; handle?: string; stop?: 'completed' | 'failed' }
  /** Final: no attempt remains. The node's onError decides the next step. */
  | { nodeId: string; status: 'FAILED'; code: string }
  /** The attempt failed and another is due. */
  | { nodeId: string; status: 'RETRYING'; attempt: number; delayMs: number; code: string }
  /** Open until a submission, or until `expiresAt` (epoch milliseconds). */
  | { nodeId: string; status: 'NEEDS_INPUT'; expiresAt?: number }
  /** Open until then (epoch milliseconds); `delayMs` after the activity's end a timer is to begin the region that ends it. */
  | { nodeId: string; status: 'WAITING'; wakeAt: number; delayMs: number }
  /** Open until its connection was authorized again, or until then (epoch milliseconds): then the attempt begins again. */
  | { nodeId: string; status: 'RECONNECT'; attempt: number; until: number }
  /** Open until the execution that it started has ended, or has begun. */
  | { nodeId: string; status: 'CHILD'; start: ChildStart; wait: boolean }
  /**
   * Open until the turn of an agent that it asked for has ended. `again`: it was asked for before, and another turn may
   * continue its message now; `asks`: a person is asked to approve a tool call, and the step's time does not run.
   */
  | { nodeId: string; status: 'TURN'; start: TurnStart; again?: 'runs' | 'asks' }
  /** Open until its iterations have ended: `loop` if the workflow runs them; without it regions do. */
  | { nodeId: string; status: 'LOOPING'; loop?: LoopStart }
  /** A stop node inside this loop has ended the execution. */
  | { nodeId: string; status: 'STOPPED'; at: StoppedAt };

/** The data with which the workflow runs a loop's iterations. */
export interface LoopStart {
  /** Iterations; for a resumed forEach those that remain; if expressions decide, the maximum. */
  total: number;
  concurrency: number;
  onItemError: 'stop' | 'continue';
  /** Milliseconds between two iterations. */
  pauseMs?: number;
  /**
   * For a loop that a retry resumes: the number of iterations that it reuses; for a repeat the first ones, for a forEach any. Others
   * may have steps already.
   */
  kept?: number;
}

/** Iterations from `from` on and before `to`, whose workflow was ended in the engine, by hand or by the server. */
export interface LostIterations {
  from: number;
  to: number;
  /** They are places among the iterations that remained for a retry. */
  ofRest?: true;
  how: 'cancelled' | 'terminated';
}

export interface StoppedAt {
  nodeId: string;
  iteration: string;
  stop: 'completed' | 'failed';
}

/** The place at which a loop failed. */
export interface LoopFailure {
  /** From 0, as `loop.index`; the message counts from 1. */
  iteration: { nodeId: string; index: number };
  /** The innermost step that failed; absent if there is none. */
  cause?: { nodeId: string; code: string };
}

/** How an attempt of an action failed, as a value. */
export interface Failure {
  /** Stable, upper snake case: HTTP_STATUS, EXPRESSION_FAILED, TIMEOUT… */
  code: string;
  /** For people; may hold data, so it never enters a history. */
  message: string;
  retryable: boolean;
  /** The answer of the other side, for people; for HTTP `{url, status, body}`. */
  details?: JsonObject;
  /** For a loop: the iteration that failed with it. */
  ofLoop?: LoopFailure;
  /** Requested by the other side, e.g. Retry-After. */
  retryAfterMs?: number;
}
