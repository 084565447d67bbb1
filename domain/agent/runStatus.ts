import type { ExecutionStatus } from '../execution/status.ts';

/** QUEUED: the turn waits for the previous turn of its task; callers see that one. */
export const RUN_STATUSES = ['QUEUED', 'RUNNING', 'NEEDS_APPROVAL', 'COMPLETED', 'FAILED', 'STOPPED'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** The statuses of a task's latest turn. A queued turn is not the latest yet. */
export const SHOWN_RUN_STATUSES = RUN_STATUSES.filter((status) => status !== 'QUEUED');

/** The final statuses of a turn's workflow. After NEEDS_APPROVAL, a separate turn continues the message. */
export type RunEnd = Exclude<RunStatus, 'QUEUED' | 'RUNNING'>;

export function isOpen(status: RunStatus): status is 'QUEUED' | 'RUNNING' {
  return status === 'QUEUED' || status === 'RUNNING';
}

/** Turns share the change feed of executions, with these statuses. */
export const FEED_STATUS: Readonly<Record<RunStatus, ExecutionStatus>> = {
  QUEUED: 'PENDING',
  RUNNING: 'RUNNING',
  NEEDS_APPROVAL: 'NEEDS_INPUT',
  COMPLETED: 'COMPLETED',
  FAILED: 'FAILED',
  STOPPED: 'CANCELLED',
};
