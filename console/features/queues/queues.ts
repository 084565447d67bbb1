import { queryOptions } from '@tanstack/react-query';
import type { Answer, Item } from 'perdure-client';
import { pagesOf } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';
import { hold } from './held.ts';

export type QueueRow = Item<'listQueues'>;
export type QueueItem = Answer<'getQueueItem'>;

/** Queues from which items can be claimed, with what waits in each. */
export function activeQueues() {
  return queryOptions({
    queryKey: ['listQueues', 'active'],
    queryFn: ({ signal }) =>
      client.listQueues({ query: { filterBy: 'isActive:true', expansion: 'itemCounts', limit: 200 }, signal }),
  });
}

const QUEUE_ROW = ['itemCounts', 'statistics', 'project', 'deletedAt', 'oldestReadyAt', 'workflows'];

export const queuePages = (query: { filterBy: string; includeType: string }) =>
  pagesOf('listQueues', { query: { ...query, expansion: QUEUE_ROW.join(',') } });

const WHOLE_ITEM = 'createdAt,updatedAt,queue,lastExecution,object,errorHistory,history,lease,warning';

export function oneItem(queueId: string, itemId: string) {
  return queryOptions({
    queryKey: ['getQueueItem', { path: { queueId, itemId } }],
    queryFn: ({ signal }) =>
      client.getQueueItem({ path: { queueId, itemId }, query: { expansion: WHOLE_ITEM }, signal }),
  });
}

/** What a person calls an item. */
export const itemName = ({ id, externalId }: { id: string; externalId: string | null }) =>
  externalId ?? `…${id.slice(-6)}`;

/** The name under which a person's items are claimed here. */
export const workerOf = (userId: string) => `console/${userId}`;

/** Takes the next ready item into the person's hands; undefined where none is ready. */
export async function claimNext(
  queue: { id: string; name: string },
  leaseMs: number,
  userId: string,
): Promise<{ queueId: string; itemId: string } | undefined> {
  const [item] = await client.claimQueueItems({
    path: { queueId: queue.id },
    body: { limit: 1, leaseMs, worker: workerOf(userId) },
    query: { expansion: 'lease' },
  });
  if (item?.lease == null) return undefined;
  const { number: lease, expiresAt } = item.lease;
  const place = { queueId: queue.id, itemId: item.id };
  hold({ ...place, queueName: queue.name, name: itemName(item), lease, leaseMs, expiresAt, isLost: false, note: '' });
  return place;
}
