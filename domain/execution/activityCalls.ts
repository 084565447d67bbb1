/** Arguments and results of runExecution's activities. Histories contain these shapes: add fields, never change one. */

import type { WorkerArgument, WorkerResult } from '../app/workerTask.ts';
import type { Plan } from '../workflow/plan.ts';
import type { ExecutionRef } from './executionRef.ts';
import type { Lookahead, Lookaheads } from './lookahead.ts';
import type { LostIterations, Outcome } from './outcome.ts';
import type { Ending, Progress } from './progress.ts';
import type { TerminalStatus } from './status.ts';

/** Sent by a workflow with a call of a local activity. It is not in the history and may differ in a replay. */
export interface LocalHint {
  tried?: number;
  /** The workflow was rebuilt from its history before this call, so a worker may have been lost with the call. */
  rebuilt?: true;
}

export type RegionStart =
  /** `reconnectUntil`: as in ActionTask. */
  | { nodeId: string; cause: 'run'; attempt: number; reconnectUntil?: number }
  /** The question has expired; an answer that came in time still counts. */
  | { nodeId: string; cause: 'expired' }
  /** Workers died repeatedly with this attempt or, with `INTERNAL`, our own code failed. */
  | { nodeId: string; cause: 'lost'; attempt: number; code?: 'INTERNAL' }
  | { nodeId: string; cause: 'woken' }
  /** The execution that a runWorkflow node started has ended with `status` or, without `wait`, begun. */
  | { nodeId: string; cause: 'child'; executionId: string; status?: TerminalStatus }
  /** The agent turn that an action started has ended or awaits an approval; `isLate`: it was stopped by the timeout. */
  | { nodeId: string; cause: 'turn'; runId: string; isLate?: true }
  /** The customer's worker has answered. */
  | { nodeId: string; cause: 'worked'; attempt: number; result: WorkerResult }
  | { nodeId: string; cause: 'iterate' }
  /** `failed` ended the loop, `lost` never end; `tooLarge`: the ended iterations' outputs exceed the size limit. */
  | { nodeId: string; cause: 'looped'; failed?: number; lost?: LostIterations; tooLarge?: true; limit: number };

/** The scope of a call: the top of an execution, or one iteration of a loop (iteration.ts). */
export interface ScopeRef extends ExecutionRef {
  /** Absent at the top. */
  iteration?: string;
}

export interface RegionCall extends ScopeRef {
  start: RegionStart[];
  /** The nodes of `start` are open in it. */
  progress: Progress;
  /** Only the start nodes are open, so the region may end the execution. */
  sole: boolean;
  /** Set if the node runs alone in its own workflow: the parent handles the next steps. Keyed by how the node ends. */
  only?: Lookaheads;
  /** The workflow that runs this scope, unless it is the caller. */
  host?: string;
}

export interface RegionResult {
  /** In the order in which they happened; a start without an outcome was not reached. */
  outcomes: Outcome[];
  endStatus?: TerminalStatus;
  /** Set if the call's iteration has ended and its row is written. */
  iterationEnded?: IterationEnd;
  /** The outputs of its loop, including its own, exceed the size limit together. */
  loopTooLarge?: true;
}

export type IterationEnd = 'COMPLETED' | 'FAILED';

export interface ActionTask extends ScopeRef {
  nodeId: string;
  attempt: number;
  completed?: Lookahead;
  failed?: Lookahead;
  /** The connection was missing and may be back; the attempt fails from this time on (epoch milliseconds). */
  reconnectUntil?: number;
  /** The workflow in which the node waits, unless it is the caller. */
  host?: string;
  /** A worker may return Overflow. Absent in the overflow queue. */
  mayOverflow?: true;
}

export interface ActionResultMessage {
  outcome: Outcome;
  endStatus?: TerminalStatus;
  iterationEnded?: IterationEnd;
  loopTooLarge?: true;
}

/** Nothing was done: the workspace has reached its limit of actions here. The overflow queue has free places. */
export interface Overflow {
  overflow: true;
}

/** Asks for the argument of a call that the region did not return because it is large. */
export interface WorkerArgumentCall extends ScopeRef {
  nodeId: string;
  attempt: number;
}

export interface EndCall extends ExecutionRef {
  /** FAILED: an activity failed permanently. */
  end: Ending | { status: 'CANCELLED' | 'TIMED_OUT' | 'FAILED'; reason: string };
}

/** Sent for an iteration that may have open steps, which are then cancelled. */
export interface EndIterationCall extends ExecutionRef {
  iteration: string;
  ending: Ending;
}

export interface AskLoopCall extends ScopeRef {
  nodeId: string;
  index: number;
  limit: number;
}

/** A range of the forEach iterations that the retry does not reuse: `from` is inclusive, `to` exclusive. */
export interface RemainingCall extends ScopeRef {
  nodeId: string;
  total: number;
  from: number;
  to: number;
}

/** `failed`: its expression is broken, or there are too many iterations; the step's row says which. */
export type LoopAnswer = 'go' | 'end' | 'failed';

/** A loop pauses until `wakeAt` (epoch milliseconds); it continues if `wakeAt` is absent. */
export interface ShowPauseCall extends ScopeRef {
  nodeId: string;
  wakeAt?: number;
}

/** Contains `ended`, or `endStatus` if the execution had already ended. */
export interface IterationResult {
  ended?: IterationEnd;
  loopTooLarge?: true;
  endStatus?: TerminalStatus;
}

export interface HoldState {
  held: boolean;
  limited: boolean;
}

export interface PlanCall extends ExecutionRef {
  loopId?: string;
}

export interface ExecutionActivities {
  loadPlan(call: PlanCall): Promise<Plan>;
  runRegion(call: RegionCall): Promise<RegionResult>;
  runAction(task: ActionTask): Promise<ActionResultMessage | Overflow>;
  workerArgument(call: WorkerArgumentCall): Promise<WorkerArgument>;
  endExecution(call: EndCall): Promise<TerminalStatus>;
  endIteration(call: EndIterationCall): Promise<IterationResult>;
  askLoop(call: AskLoopCall): Promise<LoopAnswer>;
  /** Returns indices in ascending order. */
  remainingIterations(call: RemainingCall): Promise<number[]>;
  showPause(call: ShowPauseCall): Promise<void>;
  isHeld(ref: ExecutionRef): Promise<HoldState>;
  /** Copies a batch of ended iterations into a retry. Returns whether more remain. */
  takeOver(ref: ExecutionRef): Promise<boolean>;
  /** Called after the end of an execution that counts towards a limit. */
  releaseNext(ref: ExecutionRef): Promise<void>;
}
