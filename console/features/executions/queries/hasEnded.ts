import { type ExecutionStatus, isTerminal } from '../../../../domain/execution/status.ts';

/** Undefined until the execution is read. */
export function hasEnded(status: ExecutionStatus | undefined): boolean {
  return status !== undefined && isTerminal(status);
}
