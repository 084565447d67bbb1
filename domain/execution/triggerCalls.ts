/** What the workflows of triggers ask of their activities. These shapes stand in histories: fields are added, never changed. */
import type { Overlap } from '../workflow/definition.ts';
import type { AcceptedChild } from './childExecution.ts';

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

export interface TriggerActivities {
  acceptScheduled(start: ScheduledStart): Promise<AcceptedChild>;
}
