/** Arguments and results of runExecution's activities. Histories contain these shapes: add fields, never change one. */

import type { Plan } from '../workflow/plan.ts';
import type { ExecutionRef } from './executionRef.ts';
import type { Lookahead, Lookaheads } from './lookahead.ts';
import type { LostIterations, Outcome } from './outcome.ts';
import type { Ending, Progress } from './progress.ts';
import type { TerminalStatus } from './status.ts';

/** Sent by a workflow with a call of a local activity. It is in no history, and may differ in a replay. */
export interface LocalHint {
  /** Earlier tries that failed. */
  tried?: number;
  /** The workflow was rebuilt from its history for the task in which it calls: a worker may have been lost with that. */
  rebuilt?: true;
}

/** Why a region begins at a node. */
export type RegionStart =
  | { nodeId: string; cause: 'run'; attempt: number }
  /** The question's time is over; an answer that came before still counts. */
  | { nodeId: string; cause: 'expired' }
  /** Workers died with this attempt, again and again; `INTERNAL`: or our own code failed. */
  | { nodeId: string; cause: 'lost'; attempt: number; code?: 'INTERNAL' }
  /** A delay is over. */
  | { nodeId: string; cause: 'woken' }
  /** The execution that a runWorkflow node started has ended with `status`, or has only begun if nobody waits for it. */
  | { nodeId: string; cause: 'child'; executionId: string; status?: TerminalStatus }
  /** The turn of an agent that an action asked for has ended, or asks a person; late: it was stopped, since the time was over. */
  | { nodeId: string; cause: 'turn'; runId: string; isLate?: true }
  /** A loop whose iterations the region runs continues. */
  | { nodeId: string; cause: 'iterate' }
  /**
   * The workflow has run a loop's iterations; `failed` is the iteration that ended the loop, `lost` are iterations that
   * will never end; `tooLarge`: the outputs of the iterations that have ended are too large together.
   */
  | { nodeId: string; cause: 'looped'; failed?: number; lost?: LostIterations; tooLarge?: true; limit: number };

/** The scope of a call: the top of an execution, or one iteration of a loop (iteration.ts). */
export interface ScopeRef extends ExecutionRef {
  /** Absent at the top. */
  iteration?: string;
}

export interface RegionCall extends ScopeRef {
  start: RegionStart[];
  /** The starts are open in it. */
  progress: Progress;
  /** Nothing but the starts is open: the region may end the execution. */
  sole: boolean;
  /** A node that runs alone, in a workflow of its own: its parent handles what follows. By how the node ends. */
  only?: Lookaheads;
  /** The workflow in which its scope stands if it is not the one that calls. */
  host?: string;
}

export interface RegionResult {
  /** In the order in which they happened; a start without an outcome was not reached. */
  outcomes: Outcome[];
  /** The execution's row has ended with this status. */
  endStatus?: TerminalStatus;
  /** The iteration that was called for has ended, and its row says so. */
  iterationEnded?: IterationEnd;
  /** The outputs of its loop, its own included, are too large together. */
  loopTooLarge?: true;
}

export type IterationEnd = 'COMPLETED' | 'FAILED';

export interface ActionTask extends ScopeRef {
  nodeId: string;
  attempt: number;
  /** By how the attempt ends. */
  completed?: Lookahead;
  failed?: Lookahead;
  /** It has waited for its connection, which may be there again; fails from then on (epoch milliseconds). */
  reconnectUntil?: number;
  /** The workflow in which the node waits if it is not the one that calls. */
  host?: string;
  /** A worker may answer Overflow. Absent in the overflow queue. */
  mayOverflow?: true;
}

export interface ActionResultMessage {
  outcome: Outcome;
  endStatus?: TerminalStatus;
  iterationEnded?: IterationEnd;
  /** As in RegionResult. */
  loopTooLarge?: true;
}

/** Nothing was done: the workspace runs as many actions as it may here. The overflow queue has places. */
export interface Overflow {
  overflow: true;
}

export interface EndCall extends ExecutionRef {
  /** FAILED: an activity was given up for good. */
  end: Ending | { status: 'CANCELLED' | 'TIMED_OUT' | 'FAILED'; reason: string };
}

/** Set for an iteration that may have open steps: they are cancelled. */
export interface EndIterationCall extends ExecutionRef {
  iteration: string;
  ending: Ending;
}

/** Asks whether a repeat continues with the iteration `index`, in the scope of its node. */
export interface AskLoopCall extends ScopeRef {
  nodeId: string;
  index: number;
  /** Iterations that there may be. */
  limit: number;
}

/** The iterations of a forEach that were not taken over from the execution before: from a place among them on, and before another. */
export interface RemainingCall extends ScopeRef {
  nodeId: string;
  total: number;
  from: number;
  to: number;
}

/** `failed`: its expression is broken, or there are too many iterations; the step's row says which. */
export type LoopAnswer = 'go' | 'end' | 'failed';

/** A loop pauses until then (epoch milliseconds); without it, it continues. */
export interface ShowPauseCall extends ScopeRef {
  nodeId: string;
  wakeAt?: number;
}

/** Either `ended`, or `endStatus` if the execution had ended. */
export interface IterationResult {
  ended?: IterationEnd;
  /** As in RegionResult. */
  loopTooLarge?: true;
  endStatus?: TerminalStatus;
}

export interface HoldState {
  /** It may not begin yet. */
  held: boolean;
  /** It counts towards the limit of its workflow. */
  limited: boolean;
}

/** The plan of an execution, or of one of its loops alone. */
export interface PlanCall extends ExecutionRef {
  loopId?: string;
}

export interface ExecutionActivities {
  loadPlan(call: PlanCall): Promise<Plan>;
  runRegion(call: RegionCall): Promise<RegionResult>;
  runAction(task: ActionTask): Promise<ActionResultMessage | Overflow>;
  endExecution(call: EndCall): Promise<TerminalStatus>;
  endIteration(call: EndIterationCall): Promise<IterationResult>;
  askLoop(call: AskLoopCall): Promise<LoopAnswer>;
  /** Their indices, in order. */
  remainingIterations(call: RemainingCall): Promise<number[]>;
  showPause(call: ShowPauseCall): Promise<void>;
  isHeld(ref: ExecutionRef): Promise<HoldState>;
  /** Takes over ended iterations for a retry, for a while; whether there are more. */
  takeOver(ref: ExecutionRef): Promise<boolean>;
  /** After the end of an execution that counts towards a limit. */
  releaseNext(ref: ExecutionRef): Promise<void>;
}
