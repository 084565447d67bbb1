import type { ExecutionRef } from '../../domain/execution/activityCalls.ts';
import { isTerminal, type TerminalStatus } from '../../domain/execution/status.ts';
import { readRunContext } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';

/** How the execution has ended that took no write any more; CANCELLED where its row is gone. */
export async function closedStatus(
  { database }: ActivityServices,
  { workspaceId, executionId }: ExecutionRef,
): Promise<TerminalStatus> {
  const ended = await readRunContext(database, workspaceId, executionId, { steps: [] });
  return ended && isTerminal(ended.status) ? ended.status : 'CANCELLED';
}
