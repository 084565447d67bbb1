import { writeExecutionEnd } from '../../prisma/store/execution/writeExecutionEnd.ts';
import type { EndParts } from './endParts.ts';

interface Abandoned {
  executionId: string;
  workspaceId: string;
  workflowId: string | null;
  /** It counts towards the limit of its workflow. */
  limited: boolean;
}

const MESSAGE = 'Cancelled: what was to start it had ended before';

/**
 * Ends an accepted execution that nobody can begin any more as CANCELLED. One that the engine has meanwhile is left to
 * its workflow. Answers whether it was not in the engine.
 */
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
