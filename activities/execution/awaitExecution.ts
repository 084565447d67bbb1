import { isTerminal, type TerminalStatus } from '../../domain/execution/status.ts';
import { awaitStatus } from '../awaitStatus.ts';
import type { ActivityServices } from '../services.ts';

/** Waits until the row has ended: for a child that somebody else has started. */
export async function awaitExecution(
  services: ActivityServices,
  { executionId }: { workspaceId: string; executionId: string },
): Promise<TerminalStatus> {
  // One that is gone has nobody left to tell how it ended.
  return (await awaitStatus(services, executionId, isTerminal)) ?? 'CANCELLED';
}
