import { Problem } from '../../../domain/problem.ts';
import type { ItemStatus } from '../../../domain/queue/itemStatus.ts';
import { EXECUTION } from '../../../prisma/store/execution/resource.ts';
import { pageOfAll } from '../../../prisma/store/pageOfAll.ts';
import { ANY_QUEUE } from '../../../prisma/store/queue/resource.ts';
import { failItem } from '../../../prisma/store/queueItem/failItem.ts';
import type { ItemError } from '../../../prisma/store/queueItem/itemError.ts';
import { linkExecution } from '../../../prisma/store/queueItem/moveItem.ts';
import { hasEndedUnder, hasError } from '../../../prisma/store/queueItem/repeatedRequests.ts';
import { QUEUE_ITEM } from '../../../prisma/store/queueItem/resource.ts';
import { notFound, readResource } from '../../../prisma/store/readResource.ts';
import { refusedWrite } from '../../../prisma/store/refusals.ts';
import { checkReadQuery } from '../../../prisma/store/resourceQuery.ts';
import { type Operation, Page } from '../../operation.ts';
import { createItemsOf, type GivenItem } from '../../queues/createItemsOf.ts';
import { actorOf, leaseLost, leaseOf, optionsOf, warnedItem } from '../../queues/itemPlace.ts';
import { readOf } from '../../resources/readOf.ts';
import type { ResourceRequest } from '../../resources/resourceRequest.ts';
import { errorOf } from './moveOperations.ts';

export const createQueueItem: Operation<'createQueueItem'> = async (request) => {
  const { caller, params, query, body, resourceId, services } = request;
  const creation = {
    caller,
    queueId: params.queueId,
    resourceId,
    query,
    items: [body as GivenItem],
    duplicates: 'return' as const,
    pathOf: () => '',
    services,
  };
  for (;;) {
    const { items, outcomes } = await createItemsOf(creation);
    if (items[0]) return items[0];
    // It was deleted before the read. An earlier item would have kept this externalId.
    if (outcomes[0] === 'created') throw notFound(QUEUE_ITEM);
  }
};

const read = readOf(QUEUE_ITEM, { by: 'externalId' });

/** If neither exists, the queue is refused first. */
export const getQueueItemByExternalId = async (request: ResourceRequest): Promise<unknown> => {
  try {
    return await read(request);
  } catch (error) {
    if (error instanceof Problem && error.code === 'NOT_FOUND') {
      const { queueId } = request.params as { queueId: string };
      await readResource(request.services.database, request.caller, ANY_QUEUE, queueId);
    }
    throw error;
  }
};

export const linkQueueItemExecution: Operation<'linkQueueItemExecution'> = async (request) => {
  const { caller, params, body, services } = request;
  const options = optionsOf(request);
  const { moved, item } = await linkExecution(services.database, caller, params.itemId, body.executionId, options);
  if (!moved) throw notFound(EXECUTION);
  return item;
};

const AFTER_ERROR: readonly ItemStatus[] = ['RETRYING', 'FAILED'];

export const recordQueueItemError: Operation<'recordQueueItemError'> = async (request) => {
  const { caller, params, query, body, resourceId: errorId, isRepeated, services } = request;
  const { database } = services;
  checkReadQuery(QUEUE_ITEM, query);
  const lease = leaseOf(caller, body.lease);
  const authority = { by: actorOf(caller), lease, errorId };
  const isRecorded =
    (isRepeated && (await hasError(database, caller, params.itemId, errorId))) ||
    (await failItem(database, caller, params, errorOf(body.error as string | ItemError), authority)) ||
    (body.lease !== undefined &&
      (await hasEndedUnder(database, caller, params.itemId, { ...authority, number: body.lease }, AFTER_ERROR)));
  if (isRecorded) return warnedItem(request);
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
  if (lease) throw leaseLost();
  throw new Problem('INVALID_TRANSITION', `The item is ${item.status}: only an item in PROCESSING accepts an error`);
};

export const listQueueItemErrors: Operation<'listQueueItemErrors'> = async ({ caller, params, query, services }) => {
  // A single large value is shown whole.
  const history = { ...QUEUE_ITEM, defaults: { list: [], single: ['errorHistory'] } };
  const options = { scope: { queueId: params.queueId } };
  const { errorHistory } = await readResource(services.database, caller, history, params.itemId, options);
  const errors = errorHistory as { id: string }[];
  const { items, nextCursor } = pageOfAll(`errors of ${params.itemId}`, errors, ({ id }) => id, query);
  return new Page(items, nextCursor);
};
