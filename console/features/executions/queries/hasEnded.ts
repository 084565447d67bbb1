import { type ExecutionStatus, isTerminal } from '../../../../domain/execution/status.ts';

/** Of an execution that is not read yet it is not known. */
export function hasEnded(status: ExecutionStatus | undefined): boolean {
  return status !== undefined && isTerminal(status);
}
