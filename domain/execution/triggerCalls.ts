import type { Json } from '../json.ts';
import type { Overlap } from '../workflow/definition.ts';
import type { AcceptedChild } from './childExecution.ts';

/** Arguments and results of trigger activities. Histories contain these shapes: add fields, never change one. */

export interface ScheduledRun {
  workspaceId: string;
  workflowId: string;
  overlap: Overlap;
}

/** `scheduledAt` is the planned start, `firedAt` the actual one, both in ISO 8601. */
export interface ScheduledStart {
  workspaceId: string;
  workflowId: string;
  scheduledAt: string;
  firedAt: string;
}

/** Argument of runPoll, and of its activity. */
export interface PolledRun {
  workspaceId: string;
  workflowId: string;
}

export interface PollOutcome {
  /** STOPPED: the workflow no longer polls. WAITED: the other side has requested a pause. */
  status: 'POLLED' | 'FAILED' | 'STOPPED' | 'WAITED';
  started: number;
  code?: string;
}

export interface TriggerActivities {
  pollTrigger(run: PolledRun): Promise<PollOutcome>;
  acceptScheduled(start: ScheduledStart): Promise<AcceptedChild>;
}

export interface PollItem {
  /** Stable across polls: each key starts one execution. */
  key: string;
  item: Json;
  /** The persons behind the item; absent if unknown. */
  starters?: string[];
}
