/** Histories contain these shapes: add members, never change one, and include no text of people or models. */
import type { ChildStart } from '../execution/childExecution.ts';
import type { TerminalStatus } from '../execution/status.ts';
import type { RunEnd } from './runStatus.ts';
import type { ToolCallRef } from './tool.ts';

export interface TurnRef {
  workspaceId: string;
  runId: string;
}

/** More calls continue in a new history. Each adds at most about fifteen events; the server allows 51,200. */
export const CALLS_PER_HISTORY = 200;

/** The failed tries of a model call; absent: none. */
interface EarlierTries {
  retries?: number;
  waitedMs?: number;
}

/** One model call. `step` counts from 1. */
export interface ModelCall extends TurnRef, EarlierTries {
  step: number;
}

export interface NamingCall extends TurnRef, EarlierTries {}

export type ModelOutcome =
  /** `done`: the turn ends. `asks`: some calls need approval. */
  | { kind: 'answered'; done: boolean; calls: ToolCallRef[]; asks: boolean }
  /** The model was not called yet, because calls that a person approved run first. */
  | { kind: 'approved'; calls: ToolCallRef[] }
  /** To be retried after `delayMs`; without it the failure is permanent. */
  | { kind: 'failed'; code: string; delayMs?: number }
  | { kind: 'stopped' };

export interface ToolCall extends TurnRef, ToolCallRef {}

export interface WaitingStep {
  executionId: string;
  nodeId: string;
  /** Empty at the top level. */
  iteration: string;
  host?: string;
}

/** Starts a stored turn as a child workflow. */
export interface TurnStart {
  turn: TurnRef;
  name: string;
  /** Another turn of its task is running, and its end starts this one. */
  queued?: true;
}

/** `settled`: nothing is left to do, e.g. the input must no longer run. */
export type ToolStart =
  | { kind: 'execution'; start: ChildStart }
  | { kind: 'turn'; start: TurnStart }
  | { kind: 'activity'; tries: number }
  | { kind: 'settled' };

export interface RemoteToolCall extends ToolCall {
  tries: number;
}

export interface ToolEnd extends ToolCall {
  /** The status of its execution or activity. A turn's result is in its row. */
  status?: TerminalStatus;
}

/** `ended`: has its result. `asks`: waits for an approval. `runs`: another turn continues the message. */
export type CalledTurn = { kind: 'ended' } | { kind: 'asks'; turn: TurnRef } | { kind: 'runs'; start: TurnStart };

export interface TurnEnd extends TurnRef {
  status: RunEnd;
  code?: string;
}

export interface TurnEnded {
  status: RunEnd;
  /** `nameTask` must ask a model for the task's name. */
  wantsName?: boolean;
}

/** `failed`: retry after `delayMs`. */
export type TaskNaming = { kind: 'done' } | { kind: 'failed'; delayMs: number };

export interface TurnActivities {
  callModel(call: ModelCall): Promise<ModelOutcome>;
  acceptToolCall(call: ToolCall): Promise<ToolStart>;
  /** For a call of an agent. If that agent needs approval, the step that waits for the caller shows it. */
  followCall(call: ToolCall): Promise<CalledTurn>;
  settleToolCall(end: ToolEnd): Promise<void>;
  callTool(call: RemoteToolCall): Promise<void>;
  endTurn(end: TurnEnd): Promise<TurnEnded>;
  nameTask(call: NamingCall): Promise<TaskNaming>;
  /** Stops a turn that another workflow has started, or that has not started yet. */
  stopTurn(ref: TurnRef): Promise<void>;
  awaitTurn(ref: TurnRef): Promise<RunEnd>;
}
