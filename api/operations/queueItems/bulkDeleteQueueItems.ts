import { bulkRows } from '../../../prisma/store/bulkRows.ts';
import { deleteMany } from '../../../prisma/store/bulkWrites.ts';
import { requireWritableQueue } from '../../../prisma/store/queue/requireWritable.ts';
import { QUEUE_ITEM } from '../../../prisma/store/queueItem/resource.ts';
import type { Operation } from '../../operation.ts';
import { idsOf } from './bulkUpdateQueueItems.ts';

/** What is not there, or is processed, is passed over. */
export const bulkDeleteQueueItems: Operation<'bulkDeleteQueueItems'> = async ({ caller, params, body, services }) => {
  const { database } = services;
  const scope = { queueId: params.queueId };
  await requireWritableQueue(database, caller, params.queueId);
  let deleted = 0;
  const write = (some: readonly string[]) => deleteMany(database, caller, QUEUE_ITEM, some, scope);
  for await (const count of bulkRows(idsOf(body.itemIds), write)) deleted += count;
  return { requested: body.itemIds.length, deleted };
};
