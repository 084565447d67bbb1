import { isUuid } from '../../../domain/isUuid.ts';
import type { Json } from '../../../domain/json.ts';
import { pathTo } from '../../../domain/place.ts';
import { requireItemData } from '../../../engine/queues/itemData.ts';
import { BULK_ROWS, bulkRows } from '../../../prisma/store/bulkRows.ts';
import { changeMany, deleteMany } from '../../../prisma/store/bulkWrites.ts';
import type { Item } from '../../../prisma/store/items.ts';
import { requireWritableQueue } from '../../../prisma/store/queue/requireWritable.ts';
import type { CreatedItem } from '../../../prisma/store/queueItem/createItems.ts';
import { QUEUE_ITEM } from '../../../prisma/store/queueItem/resource.ts';
import { checkReadQuery } from '../../../prisma/store/resourceQuery.ts';
import { idsInOrder, rowsAmong } from '../../../prisma/store/rowsAmong.ts';
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

export const bulkUpdateQueueItems: Operation<'bulkUpdateQueueItems'> = async (request) => {
  const { caller, params, query, body, services } = request;
  const { database, config } = services;
  const scope = { queueId: params.queueId };
  checkReadQuery(QUEUE_ITEM, query);
  await requireWritableQueue(database, caller, params.queueId);
  const { data } = body.update as { data?: Json };
  await requireItemData(services, caller.workspaceId, params.queueId, [{ path: 'update', data }]);
  const ids = idsOf(body.itemIds);
  const answerBytes = Math.floor(config.MAX_ANSWER_BYTES / Math.max(1, Math.ceil(ids.length / BULK_ROWS)));
  const items: Item[] = [];
  const write = async (some: readonly string[]) => {
    const change = body.update as Record<string, Json>;
    const changed = new Set(await changeMany(database, caller, QUEUE_ITEM, some, change, scope));
    return some.filter((id) => changed.has(id));
  };
  for await (const changed of bulkRows(ids, write)) {
    items.push(...(await rowsAmong(database, caller, QUEUE_ITEM, idsInOrder(changed), { query, scope, answerBytes })));
  }
  return items;
};

/** As Postgres writes them, without duplicates. */
export function idsOf(given: readonly string[]): string[] {
  return [...new Set(given.filter(isUuid).map((id) => id.toLowerCase()))];
}

/** Skips unknown items and items in PROCESSING. */
export const bulkDeleteQueueItems: Operation<'bulkDeleteQueueItems'> = async ({ caller, params, body, services }) => {
  const { database } = services;
  const scope = { queueId: params.queueId };
  await requireWritableQueue(database, caller, params.queueId);
  let deleted = 0;
  const write = (some: readonly string[]) => deleteMany(database, caller, QUEUE_ITEM, some, scope);
  for await (const count of bulkRows(idsOf(body.itemIds), write)) deleted += count;
  return { requested: body.itemIds.length, deleted };
};
