import type { HoldState } from '../../domain/execution/activityCalls.ts';
import type { ExecutionRef } from '../../domain/execution/executionRef.ts';
import { readHold } from '../../prisma/store/execution/readHold.ts';
import type { ActivityServices } from '../services.ts';

export async function isHeld(
  { database }: ActivityServices,
  { workspaceId, executionId }: ExecutionRef,
): Promise<HoldState> {
  const { held = false, limited = false } = (await readHold(database, workspaceId, executionId)) ?? {};
  return { held, limited };
}

/** Releases the next executions after one that counted towards the limit of its workflow has ended. */
export async function releaseNext(
  { database, releaser }: ActivityServices,
  { workspaceId, executionId }: ExecutionRef,
): Promise<void> {
  const { workflowId = null } = (await readHold(database, workspaceId, executionId)) ?? {};
  if (workflowId !== null) await releaser.release(workspaceId, workflowId);
}
