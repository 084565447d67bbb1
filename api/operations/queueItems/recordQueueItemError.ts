import { refusedWrite } from '../../../prisma/store/frozen.ts';
import { failItem } from '../../../prisma/store/queueItem/failItem.ts';
import type { ItemError } from '../../../prisma/store/queueItem/itemError.ts';
import { QUEUE_ITEM } from '../../../prisma/store/queueItem/resource.ts';
import { notFound, readResource } from '../../../prisma/store/readResource.ts';
import { checkReadQuery } from '../../../prisma/store/resourceQuery.ts';
import type { Operation } from '../../operation.ts';
import { actorOf } from '../../queues/actorOf.ts';
import { invalidMove, leaseLost, leaseOf, optionsOf } from '../../queues/itemPlace.ts';
import { errorOf } from './setQueueItemStatus.ts';

export const recordQueueItemError: Operation<'recordQueueItemError'> = async (request) => {
  const { caller, params, query, body, services } = request;
  const { database } = services;
  checkReadQuery(QUEUE_ITEM, query);
  const told = { by: actorOf(caller), lease: leaseOf(caller, body.lease) };
  const failed = await failItem(database, caller, params, errorOf(body.error as string | ItemError), told);
  if (failed) return readResource(database, caller, QUEUE_ITEM, params.itemId, optionsOf(request));
  // Throws NOT_FOUND where there is none.
  const item = await readResource(database, caller, QUEUE_ITEM, params.itemId, { scope: { queueId: params.queueId } });
  const refused = await refusedWrite(
    database,
    caller,
    QUEUE_ITEM,
    params.itemId,
    { queueId: params.queueId },
    QUEUE_ITEM.frozen,
  );
  if (refused.code !== notFound(QUEUE_ITEM).code) throw refused;
  throw told.lease ? leaseLost() : invalidMove(String(item.status), 'RETRYING or FAILED by an error');
};
