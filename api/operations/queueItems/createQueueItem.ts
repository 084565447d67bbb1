import type { Operation } from '../../operation.ts';
import { createItemsOf, type GivenItem } from '../../queues/createItemsOf.ts';

export const createQueueItem: Operation<'createQueueItem'> = async (request) => {
  const { caller, params, query, body, resourceId, services } = request;
  const { items } = await createItemsOf({
    caller,
    queueId: params.queueId,
    resourceId,
    query,
    items: [body as GivenItem],
    duplicates: 'return',
    pathOf: () => '',
    services,
  });
  return items[0];
};
