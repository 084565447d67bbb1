import { type ExecutionStatus, isTerminal } from '../../../../domain/execution/status.ts';

/** False until the execution is read. */
export function hasEnded(status: ExecutionStatus | undefined): boolean {
  return status !== undefined && isTerminal(status);
}
