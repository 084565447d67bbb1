import { pathTo } from '../../../domain/place.ts';
import type { CreatedItem } from '../../../prisma/store/queueItem/createItems.ts';
import type { Operation } from '../../operation.ts';
import { createItemsOf, type GivenItem } from '../../queues/createItemsOf.ts';

export const bulkCreateQueueItems: Operation<'bulkCreateQueueItems'> = async (request) => {
  const { caller, params, query, body, resourceId, services } = request;
  const { items, outcomes } = await createItemsOf({
    caller,
    queueId: params.queueId,
    resourceId,
    query,
    items: body.items as GivenItem[],
    duplicates: body.options?.duplicates ?? 'skip',
    pathOf: (index) => pathTo('items', index),
    services,
  });
  const count = (outcome: CreatedItem['outcome']) => outcomes.filter((each) => each === outcome).length;
  const [created, updated] = [count('created'), count('updated')];
  const summary = {
    requested: outcomes.length,
    created,
    updated,
    skipped: count('skipped'),
    existing: count('existing'),
  };
  return { items, summary };
};
