import { type DueEnd, noteEndDelivered } from '../../prisma/store/execution/endRequests.ts';
import { writeExecutionEnd } from '../../prisma/store/execution/writeExecutionEnd.ts';
import { endAsEngineReports } from './endAsEngineReports.ts';
import type { EndParts } from './endParts.ts';

export const END_MESSAGES = { cancel: 'Cancelled', terminate: 'Terminated' } as const;

/** Resolves once the engine has the request; the row has ended if nothing is left to stop. Throws EngineAway. */
export async function deliverEnd(parts: EndParts, row: DueEnd): Promise<void> {
  const { workspaceId, executionId, how } = row;
  const tell = () => parts.engine[how](executionId);
  let isDelivered = await tell();
  // Not started yet: reserve its id. If it starts in between, send the request again.
  const forestalled = !isDelivered && (await parts.engine.forestall(executionId));
  if (!isDelivered && !forestalled) isDelivered = await tell();

  if (forestalled || (isDelivered && how === 'terminate')) {
    const end = { status: 'CANCELLED' as const, statusMessage: END_MESSAGES[how] };
    const change = await writeExecutionEnd(parts.database, workspaceId, executionId, end);
    if (change) parts.feed.publish(change);
    // Its workflow would have done so at its end.
    if (row.limited && row.workflowId !== null) parts.releaser.releaseBehind(workspaceId, row.workflowId);
  } else if (!isDelivered) {
    await endAsEngineReports(parts, row);
  }
  await noteEndDelivered(parts.database, workspaceId, executionId, how);
}
