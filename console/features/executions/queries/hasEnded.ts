import { type ExecutionStatus, isTerminal } from '../../../../domain/execution/status.ts';

export function hasEnded(status: ExecutionStatus | undefined): boolean {
  return status !== undefined && isTerminal(status);
}
