import { EXECUTION } from '../../../prisma/store/execution/resource.ts';
import { linkExecution } from '../../../prisma/store/queueItem/moveItem.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import type { Operation } from '../../operation.ts';
import { optionsOf } from '../../queues/itemPlace.ts';

export const linkQueueItemExecution: Operation<'linkQueueItemExecution'> = async (request) => {
  const { caller, params, body, services } = request;
  const options = optionsOf(request);
  const { moved, item } = await linkExecution(services.database, caller, params.itemId, body.executionId, options);
  if (!moved) throw notFound(EXECUTION);
  return item;
};
