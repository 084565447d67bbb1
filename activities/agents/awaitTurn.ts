import { isOpen, type RunEnd } from '../../domain/agent/runStatus.ts';
import type { TurnRef } from '../../domain/agent/turnCalls.ts';
import type { ExecutionStatus } from '../../domain/execution/status.ts';
import { readRunStatus } from '../../prisma/store/turn/readRunStatus.ts';
import { awaitStatus } from '../awaitStatus.ts';
import type { ActivityServices } from '../services.ts';

/** Waits until the turn's row has ended; one that is gone with its task was stopped. */
export async function awaitTurn(services: ActivityServices, { workspaceId, runId }: TurnRef): Promise<RunEnd> {
  await awaitStatus(services, runId, isEnd);
  const status = (await readRunStatus(services.database, workspaceId, runId)) ?? 'STOPPED';
  if (isOpen(status)) throw new Error(`The turn ${runId} goes on`);
  return status;
}

/** In the words of the change feed: it neither runs nor waits for its turn. */
function isEnd(status: ExecutionStatus): status is Exclude<ExecutionStatus, 'PENDING' | 'RUNNING'> {
  return status !== 'PENDING' && status !== 'RUNNING';
}
