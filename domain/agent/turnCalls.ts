/**
 * Arguments and results of agentTurn's activities. Histories contain these shapes: add fields, never change one. No
 * text of people or models.
 */
import type { ChildStart } from '../execution/childExecution.ts';
import type { TerminalStatus } from '../execution/status.ts';
import type { RunEnd } from './runStatus.ts';
import type { ToolCallRef } from './tool.ts';

/** Argument of agentTurn. */
export interface TurnRef {
  workspaceId: string;
  runId: string;
}

/**
 * Calls of the model and of tools after which a turn goes on in a new history, between two steps. Each leaves some fifteen events
 * at most; the server keeps 51,200.
 */
export const CALLS_PER_HISTORY = 200;

/** The tries of a model call that have failed; absent: none. */
interface EarlierTries {
  retries?: number;
  waitedMs?: number;
}

/** One model call; `step` counts from 1. */
export interface ModelCall extends TurnRef, EarlierTries {
  step: number;
}

export interface NamingCall extends TurnRef, EarlierTries {}

export type ModelOutcome =
  /** `done`: there is nothing more to do. `asks`: of its calls some need a person. */
  | { kind: 'answered'; done: boolean; calls: ToolCallRef[]; asks: boolean }
  /** The model was not asked yet: these calls, which a person has approved, run before it is. */
  | { kind: 'approved'; calls: ToolCallRef[] }
  /** It is to be tried again after `delayMs`; without that it has failed for good. */
  | { kind: 'failed'; code: string; delayMs?: number }
  | { kind: 'stopped' };

export interface ToolCall extends TurnRef, ToolCallRef {}

/** A step that waits for a turn. */
export interface WaitingStep {
  executionId: string;
  nodeId: string;
  /** '' at the top. */
  iteration: string;
  /** The workflow that waits, where it is not the execution's own. */
  host?: string;
}

/** All that a workflow needs to start a turn, whose row is written, as its child. */
export interface TurnStart {
  turn: TurnRef;
  /** Name of the tool, or of the node. */
  name: string;
  /** Another turn of its task runs: the end of that starts it. */
  queued?: true;
}

/** `settled`: it needs no more work, e.g. its input is not to be run any more. */
export type ToolStart =
  | { kind: 'execution'; start: ChildStart }
  | { kind: 'turn'; start: TurnStart }
  /** The call is an activity, which is begun so often at most. */
  | { kind: 'activity'; tries: number }
  | { kind: 'settled' };

export interface RemoteToolCall extends ToolCall {
  tries: number;
}

export interface ToolEnd extends ToolCall {
  /** Status of its execution or activity; a turn has its result in its row. */
  status?: TerminalStatus;
}

/**
 * The state of the turn that a call of an agent made. `ended`: its result is there. `asks`: a person is asked to approve a
 * call, and the caller waits for the answer. `runs`: another turn continues its message.
 */
export type CalledTurn = { kind: 'ended' } | { kind: 'asks'; turn: TurnRef } | { kind: 'runs'; start: TurnStart };

export interface TurnEnd extends TurnRef {
  status: RunEnd;
  /** Code of a failure. */
  code?: string;
}

export interface TurnEnded {
  status: RunEnd;
  /** The task is to be named by a model: `nameTask`. */
  wantsName?: boolean;
}

/** `failed`: it is to be tried again after `delayMs`. */
export type TaskNaming = { kind: 'done' } | { kind: 'failed'; delayMs: number };

export interface TurnActivities {
  callModel(call: ModelCall): Promise<ModelOutcome>;
  acceptToolCall(call: ToolCall): Promise<ToolStart>;
  /** For a call of an agent. If the agent asks a person, the step that waits for the caller shows it. */
  followCall(call: ToolCall): Promise<CalledTurn>;
  settleToolCall(end: ToolEnd): Promise<void>;
  /** Makes the call and notes its result. */
  callTool(call: RemoteToolCall): Promise<void>;
  endTurn(end: TurnEnd): Promise<TurnEnded>;
  nameTask(call: NamingCall): Promise<TaskNaming>;
  /** Asks one to stop that another workflow, or nobody yet, has started. */
  stopTurn(ref: TurnRef): Promise<void>;
  /** Waits until the turn's row has ended. */
  awaitTurn(ref: TurnRef): Promise<RunEnd>;
}
