/** What runExecution asks of its activities. These shapes stand in histories: fields are added, never changed. */
import type { Lookahead } from './lookahead.ts';
import type { Outcome } from './outcome.ts';
import type { Ending, Progress } from './progress.ts';
import type { TerminalStatus } from './status.ts';

export interface ExecutionRef {
  workspaceId: string;
  executionId: string;
  /** Absent for an ad-hoc run, whose row holds the definition. */
  versionId?: string;
}

/** Why a region begins at a node. */
export type RegionStart =
  | { nodeId: string; cause: 'run'; attempt: number }
  /** A person has answered. */
  | { nodeId: string; cause: 'submitted' }
  /** The question's time is over; an answer that came before still counts. */
  | { nodeId: string; cause: 'expired' }
  /** Workers died with this attempt, again and again. */
  | { nodeId: string; cause: 'lost'; attempt: number };

export interface RegionCall extends ExecutionRef {
  start: RegionStart[];
  /** The starts are open in it. */
  progress: Progress;
  /** Nothing but the starts is open: the region may end the execution. */
  sole: boolean;
  /** The newest revision of the row that a result told: what was written up to it and nothing else. */
  revision: number;
}

export interface RegionResult {
  /** In the order in which they happened; a start without an outcome was not reached. */
  outcomes: Outcome[];
  /** The execution's row has ended with this status. */
  closed?: TerminalStatus;
  /** Of the row after the write; absent where nothing was written. */
  revision?: number;
}

export interface ActionTask extends ExecutionRef {
  nodeId: string;
  attempt: number;
  /** As in RegionCall; present when nothing else of the execution is open. */
  revision?: number;
  /** By how the attempt ends. */
  completed?: Lookahead;
  failed?: Lookahead;
}

export interface ActionResultMessage {
  outcome: Outcome;
  closed?: TerminalStatus;
  /** As in RegionResult. */
  revision?: number;
}

export interface EndCall extends ExecutionRef {
  end: Ending | { status: 'CANCELLED'; reason: string };
}

export interface ExecutionActivities {
  runRegion(call: RegionCall): Promise<RegionResult>;
  runAction(task: ActionTask): Promise<ActionResultMessage>;
  endExecution(call: EndCall): Promise<TerminalStatus>;
}
