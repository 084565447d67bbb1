import { isTerminal } from '../../domain/execution/status.ts';
import { type EndHow, writeEndRequest } from '../../prisma/store/execution/endRequests.ts';
import { EngineAway } from '../engineAway.ts';
import { deliverEnd, END_MESSAGES } from './deliverEnd.ts';
import type { EndParts } from './endParts.ts';

export interface EndRequest {
  workspaceId: string;
  executionId: string;
  /** `cancel` requests cancellation of running steps and lets them stop; `terminate` ends the execution at once. */
  how: EndHow;
  /** Stands in statusMessage. Of several requests the first one's. */
  reason?: string | undefined;
  /** False: the engine does not answer now, so the reconciler tells it. */
  tellsEngine?: boolean;
}

/**
 * `unstarted`: it was held, so that nothing of it is in the engine. `undelivered`: the engine does not answer; the
 * reconciler tells it.
 */
export type EndOutcome = 'absent' | 'delivered' | 'unstarted' | 'undelivered';

/**
 * Requests the end of an execution; accepted once its row is written. One that has not begun has ended then. Resolves
 * as deliverEnd, or when the engine has not answered in time. An ended execution does not change.
 */
export async function endOnRequest(parts: EndParts, request: EndRequest): Promise<EndOutcome> {
  const { workspaceId, executionId, how, tellsEngine = true } = request;
  const reason = request.reason ?? END_MESSAGES[how];
  const row = await writeEndRequest(parts.database, workspaceId, executionId, { how, reason });
  if (!row) return 'absent';
  if (row.endedNow) {
    parts.feed.publish({ executionId, revision: row.revision, status: row.status, responded: row.responded });
    if (row.limited && row.workflowId !== null) parts.releaser.releaseBehind(workspaceId, row.workflowId);
    if (row.isOnlyHeld) return 'unstarted';
  } else if (isTerminal(row.status)) return 'delivered';
  if (!tellsEngine) return 'undelivered';
  try {
    await deliverEnd(parts, { ...row, workspaceId, executionId });
    return 'delivered';
  } catch (error) {
    if (!(error instanceof EngineAway)) throw error;
    return 'undelivered';
  }
}
