import { isTerminal } from '../../domain/execution/status.ts';
import { type EndHow, writeEndRequest } from '../../prisma/store/execution/endRequests.ts';
import { EngineAway } from '../engineAway.ts';
import { deliverEnd, END_MESSAGES } from './deliverEnd.ts';
import type { EndParts } from './endParts.ts';

export interface EndRequest {
  workspaceId: string;
  executionId: string;
  /** `cancel` lets running steps stop; `terminate` ends the execution at once. */
  how: EndHow;
  /** Becomes the statusMessage; the first request wins. */
  reason?: string | undefined;
  /** False: the engine is known not to answer, so the reconciler sends the request. */
  tellsEngine?: boolean;
}

/** `unstarted`: held, so unknown to the engine. `undelivered`: the engine does not answer; the reconciler retries. */
export type EndOutcome = 'absent' | 'delivered' | 'unstarted' | 'undelivered';

/** The written row accepts the request. An unstarted execution ends at once. Resolves like deliverEnd. */
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
