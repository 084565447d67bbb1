import type { Json } from '../json.ts';
import type { Overlap } from '../workflow/definition.ts';
import type { AcceptedChild } from './childExecution.ts';

/**
 * Arguments and results of the activities of trigger workflows. Histories contain these shapes: add fields, never
 * change one.
 */

/** Argument of runScheduled. */
export interface ScheduledRun {
  workspaceId: string;
  workflowId: string;
  overlap: Overlap;
}

/** Times in ISO 8601: when the schedule meant it to start, and when it did. */
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
  /** STOPPED: the workflow no longer polls. WAITED: the other side has asked for a pause. */
  status: 'POLLED' | 'FAILED' | 'STOPPED' | 'WAITED';
  /** Executions. */
  started: number;
  /** Code of a failure. */
  code?: string;
}

export interface TriggerActivities {
  pollTrigger(run: PolledRun): Promise<PollOutcome>;
  acceptScheduled(start: ScheduledStart): Promise<AcceptedChild>;
}

/** Something that a poll has found. */
export interface PollItem {
  /** The same for the same thing, poll after poll: it starts one execution. */
  key: string;
  item: Json;
  /** The persons behind it; absent: it knows nobody. */
  starters?: string[];
}
