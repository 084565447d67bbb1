import type { Json } from '../../../domain/json.ts';
import { Problem } from '../../../domain/problem.ts';
import { ITEM_MOVES } from '../../../domain/queue/itemMoves.ts';
import { type ItemStatus, isItemStatus } from '../../../domain/queue/itemStatus.ts';
import type { ItemError } from '../../../prisma/store/queueItem/itemError.ts';
import { moveItem, RETRY } from '../../../prisma/store/queueItem/moveItem.ts';
import { hasEndedUnder } from '../../../prisma/store/queueItem/repeatedRequests.ts';
import type { Operation } from '../../operation.ts';
import { actorOf, invalidMove, leaseLost, leaseOf, movedItem, optionsOf } from '../../queues/itemPlace.ts';
import { moveOnce } from '../../queues/moveOnce.ts';

const WITH_ERROR: readonly ItemStatus[] = ['FAILED', 'RETRYING'];

export const setQueueItemStatus: Operation<'setQueueItemStatus'> = async (request) => {
  const { caller, params, body, services } = request;
  const { status: to, error, errorMessage, note, scheduledFor, lease, leaseMs } = body;
  if (scheduledFor !== undefined && to !== 'PENDING') {
    throw new Problem('VALIDATION_FAILED', 'scheduledFor is allowed only with the status PENDING', {
      errors: [{ path: 'scheduledFor', message: `is not allowed with the status ${to}: leave it out, or set PENDING` }],
    });
  }
  if (leaseMs !== undefined && to !== 'PROCESSING') {
    throw new Problem('VALIDATION_FAILED', 'leaseMs is allowed only with the status PROCESSING', {
      errors: [{ path: 'leaseMs', message: `is not allowed with the status ${to}: leave it out, or set PROCESSING` }],
    });
  }
  const givenError = error === undefined ? errorMessage : (error as string | ItemError);
  const move = {
    to,
    by: actorOf(caller),
    note,
    scheduledFor,
    leaseMs,
    lease: leaseOf(caller, lease),
    error: givenError === undefined || !WITH_ERROR.includes(to) ? undefined : errorOf(givenError),
  };
  const result = await moveItem(services.database, caller, params.itemId, move, optionsOf(request));
  if (result.moved) return movedItem(request, result);
  const isSameEnd =
    result.state === to &&
    lease !== undefined &&
    (await hasEndedUnder(services.database, caller, params.itemId, { number: lease, by: move.by }, [to]));
  if (isSameEnd) return movedItem(request, result);
  throw refusal(result.state, to, result.item, lease !== undefined);
};

export function errorOf(given: string | { message: string; code?: string; details?: unknown }): ItemError {
  if (typeof given === 'string') return { message: given };
  const { message, code, details } = given;
  return { message, code, details: details as Json | undefined };
}

function refusal(from: string, to: ItemStatus, item: Record<string, Json>, hasLease: boolean): Problem {
  if (hasLease && from !== 'PROCESSING') return leaseLost();
  const allowed = isItemStatus(from) ? ITEM_MOVES[from] : [];
  if (!allowed.includes(to)) return invalidMove(from, to, allowed);
  if (to === 'RETRYING' && Number(item.retryCount) >= Number(item.maxRetries)) {
    return new Problem('RETRY_NOT_ALLOWED', `The item has no retries left: its maxRetries is ${item.maxRetries}`);
  }
  return leaseLost();
}

export const retryQueueItem: Operation<'retryQueueItem'> = (request) =>
  moveOnce(request, RETRY, ({ state, item }) => {
    const detail =
      state === 'FAILED'
        ? `The item has no retries left: its maxRetries is ${item.maxRetries}`
        : `The item is ${state}: only a FAILED item can be retried`;
    return new Problem('RETRY_NOT_ALLOWED', detail);
  });
