import { Problem } from '../../../domain/problem.ts';
import { retryItem } from '../../../prisma/store/queueItem/moveItem.ts';
import type { Operation } from '../../operation.ts';
import { actorOf } from '../../queues/actorOf.ts';
import { movedItem, optionsOf } from '../../queues/itemPlace.ts';

export const retryQueueItem: Operation<'retryQueueItem'> = async (request) => {
  const { caller, params, services } = request;
  const result = await retryItem(services.database, caller, params.itemId, actorOf(caller), optionsOf(request));
  if (result.moved) return movedItem(request, result);
  const detail =
    result.state === 'FAILED'
      ? `The item has used its ${result.item.maxRetries} retries`
      : `The item is ${result.state}: only one that is FAILED is tried again`;
  throw new Problem('RETRY_NOT_ALLOWED', detail);
};
