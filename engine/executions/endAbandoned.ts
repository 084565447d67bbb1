import { writeExecutionEnd } from '../../prisma/store/execution/writeExecutionEnd.ts';
import type { EndParts } from './endParts.ts';

interface Abandoned {
  executionId: string;
  workspaceId: string;
  workflowId: string | null;
  limited: boolean;
}

const MESSAGE = 'Cancelled: what was to start it had ended before';

/** Ends as CANCELLED an accepted execution that nothing can start. Returns false if the engine has it. */
export async function endAbandoned(
  { database, engine, feed, releaser }: EndParts,
  { executionId, workspaceId, workflowId, limited }: Abandoned,
): Promise<boolean> {
  if (!(await engine.forestall(executionId))) return false;
  const change = await writeExecutionEnd(database, workspaceId, executionId, {
    status: 'CANCELLED',
    statusMessage: MESSAGE,
  });
  if (change) feed.publish(change);
  // Its workflow would have done so at its end.
  if (limited && workflowId !== null) releaser.releaseBehind(workspaceId, workflowId);
  return true;
}
