import { isTerminal } from '../../domain/execution/status.ts';
import type { Database } from '../../prisma/client.ts';
import { requestCancel } from '../../prisma/store/execution/requestCancel.ts';
import { writeExecutionEnd } from '../../prisma/store/execution/writeExecutionEnd.ts';
import type { Engine } from '../engine.ts';
import type { ChangeFeed } from '../feeds/changeFeed.ts';
import { endAsEngineReports } from './endAsEngineReports.ts';
import type { Releaser } from './releaser.ts';

export interface EndParts {
  database: Database;
  engine: Engine;
  feed: ChangeFeed;
  releaser: Releaser;
}

export interface EndRequest {
  workspaceId: string;
  executionId: string;
  /** `cancel` requests cancellation of running steps and lets them stop; `terminate` ends the execution at once. */
  how: 'cancel' | 'terminate';
  /** Stands in statusMessage. Of several requests the first one's. */
  reason?: string | undefined;
}

/** `unstarted`: it was held, so that there is nothing of it in the engine. */
export type EndOutcome = 'absent' | 'delivered' | 'unstarted';

/**
 * Requests the end of an execution. Resolves when the engine has accepted the request and, if nothing is left to stop,
 * the row has ended; the cancellation itself continues afterwards. An ended execution does not change. Throws
 * EngineAway if the engine does not answer.
 */
export async function endOnRequest(parts: EndParts, request: EndRequest): Promise<EndOutcome> {
  const { workspaceId, executionId, how } = request;
  const message = how === 'cancel' ? 'Cancelled' : 'Terminated';
  const row = await requestCancel(parts.database, workspaceId, executionId, request.reason ?? message);
  if (!row) return 'absent';
  if (isTerminal(row.status)) return 'delivered';
  const end = { status: 'CANCELLED' as const, statusMessage: message };
  if (row.isOnlyHeld) {
    const change = await writeExecutionEnd(parts.database, workspaceId, executionId, end, 'held');
    // Otherwise it was released just now: it ends as any other.
    if (change) {
      parts.feed.publish(change);
      return 'unstarted';
    }
  }

  const tell = () => parts.engine[how](executionId);
  let isDelivered = await tell();
  // Not started yet: a later start finds the row ended. A start in between gets the cancellation.
  const forestalled = !isDelivered && (await parts.engine.forestall(executionId));
  if (!isDelivered && !forestalled) isDelivered = await tell();

  if (forestalled || (isDelivered && how === 'terminate')) {
    const change = await writeExecutionEnd(parts.database, workspaceId, executionId, end);
    if (change) parts.feed.publish(change);
    // Its workflow would have done so at its end.
    if (row.limited && row.workflowId !== null) parts.releaser.releaseBehind(workspaceId, row.workflowId);
  } else if (!isDelivered) {
    await endAsEngineReports(parts, { ...row, workspaceId, executionId, cancelRequested: true });
  }
  return 'delivered';
}
