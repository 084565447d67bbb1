export const EXECUTION_STATUSES = [
  'PENDING',
  'RUNNING',
  'WAITING',
  'NEEDS_INPUT',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'TIMED_OUT',
] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

export const TERMINAL_STATUSES = ['COMPLETED', 'FAILED', 'CANCELLED', 'TIMED_OUT'] as const;
export type TerminalStatus = (typeof TERMINAL_STATUSES)[number];

export function isTerminal(status: ExecutionStatus): status is TerminalStatus {
  return (TERMINAL_STATUSES as readonly string[]).includes(status);
}

export const STEP_STATUSES = [
  'QUEUED',
  'RUNNING',
  'RETRYING',
  'WAITING',
  'NEEDS_INPUT',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];
