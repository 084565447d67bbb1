import type { ExecutionStatus } from '../execution/status.ts';

/** QUEUED: the turn waits for the one before it on its task; callers see the running one. */
export const RUN_STATUSES = ['QUEUED', 'RUNNING', 'NEEDS_APPROVAL', 'COMPLETED', 'FAILED', 'STOPPED'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Those of a task's latest turn: one that waits for the turn before it is not the latest yet. */
export const SHOWN_RUN_STATUSES = RUN_STATUSES.filter((status) => status !== 'QUEUED');

/** How the workflow of a turn ends. NEEDS_APPROVAL: the answer is a turn of its own, which goes on with the message. */
export type RunEnd = Exclude<RunStatus, 'QUEUED' | 'RUNNING'>;

export function isOpen(status: RunStatus): status is 'QUEUED' | 'RUNNING' {
  return status === 'QUEUED' || status === 'RUNNING';
}

/** The change feed of executions carries turns too, in its words. */
export const FEED_STATUS: Readonly<Record<RunStatus, ExecutionStatus>> = {
  QUEUED: 'PENDING',
  RUNNING: 'RUNNING',
  NEEDS_APPROVAL: 'NEEDS_INPUT',
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
  STOPPED: 'CANCELLED',
};
