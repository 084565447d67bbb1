import { Problem } from '../../../domain/problem.ts';
import { bulkRows } from '../../../prisma/store/bulkRows.ts';
import { requireWritableQueue } from '../../../prisma/store/queue/requireWritable.ts';
import { matchRequeued, REQUEUE, requeueMany } from '../../../prisma/store/queueItem/requeue.ts';
import type { Operation } from '../../operation.ts';
import { actorOf } from '../../queues/itemPlace.ts';
import { moveOnce } from '../../queues/moveOnce.ts';
import { idsOf } from './bulkOperations.ts';

export const requeueQueueItem: Operation<'requeueQueueItem'> = (request) =>
  moveOnce(request, REQUEUE, ({ state }) => {
    return new Problem('INVALID_TRANSITION', `The item is ${state}: only a FAILED or CANCELLED item can be requeued`);
  });

export const bulkRequeueQueueItems: Operation<'bulkRequeueQueueItems'> = async (request) => {
  const { caller, params, body, resourceId: moveId, services } = request;
  const { database, config } = services;
  const { itemIds, filterBy, dryRun = false } = body;
  await requireWritableQueue(database, caller, params.queueId);
  const chosen = itemIds === undefined ? { filterBy: filterBy ?? '' } : { ids: idsOf(itemIds) };
  const most = dryRun ? 0 : config.BULK_ITEMS_MAX;
  const { matched, itemIds: ids } = await matchRequeued(database, caller, params.queueId, chosen, most);
  let requeued = 0;
  const write = (some: readonly string[]) =>
    requeueMany(database, caller, params.queueId, some, actorOf(caller), moveId);
  for await (const count of bulkRows(ids, write)) requeued += count;
  return { matched, requeued };
};
