import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Answer, Item } from 'perdure-client';
import { etagOf } from '../../app/api/ifMatch.ts';
import { PAGE_SIZE, pagesOf } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';
import { escaped } from '../../ui/escaped.ts';
import type { SearchOf } from '../../ui/search.ts';
import { sinceTime } from '../../ui/time/since.ts';
import { pastedItems } from './pastedItems.ts';

export type QueueRow = Item<'listQueues'>;
export type ItemRow = Answer<'listQueueItems'>['items'][number];
export type QueueItem = Answer<'getQueueItem'>;
export type QueueSettingsRead = Answer<'getQueue'>;

/** Every key begins with its operation, which the change feed uses to find it. */
const KEYS = {
  queues: ['listQueues'],
  queue: ['getQueue'],
  items: ['listQueueItems'],
  item: ['getQueueItem'],
} as const;

/** Refetches queues and items after a change. Resolves when the open queues have been read. */
export async function refreshQueues(queries: QueryClient): Promise<void> {
  for (const queryKey of [KEYS.queues, KEYS.items, KEYS.item]) void queries.invalidateQueries({ queryKey });
  await queries.invalidateQueries({ queryKey: KEYS.queue });
}

export const refreshItem = (queries: QueryClient) => queries.invalidateQueries({ queryKey: KEYS.item });

export function activeQueues() {
  return queryOptions({
    queryKey: [...KEYS.queues, 'active'],
    queryFn: ({ signal }) =>
      client.listQueues({ query: { filterBy: 'isActive:true', expansion: 'itemCounts', limit: 200 }, signal }),
  });
}

const QUEUE_ROW = ['itemCounts', 'statistics', 'project', 'deletedAt', 'oldestReadyAt', 'workflows'];

export const queuePages = (query: { filterBy: string; includeType: string }) =>
  pagesOf('listQueues', { query: { ...query, expansion: QUEUE_ROW.join(',') } });

/** A queue with its settings and figures, even if it is deleted. */
export function oneQueue(queueId: string) {
  return queryOptions({
    queryKey: [...KEYS.queue, { path: { queueId } }],
    queryFn: ({ signal }) =>
      client.getQueue({
        path: { queueId },
        query: { includeType: 'deleted', expansion: 'description,project,statistics,itemCounts,deletedAt' },
        signal,
      }),
  });
}

export function queueName(queueId: string) {
  return queryOptions({
    queryKey: [...KEYS.queue, queueId, 'name'],
    queryFn: ({ signal }) => client.getQueue({ path: { queueId }, query: { expansion: 'name' }, signal }),
  });
}

export interface QueueRead {
  queue: QueueSettingsRead;
  etag: string | undefined;
}

const SETTINGS =
  'name,slug,description,isActive,priority,maxRetries,retryDelayMinutes,batchSize,maxConcurrent,dataSchema,deletedAt';

/** Never cached, so that the form shows the version of its ETag. */
export function queueSettings(queueId: string) {
  return queryOptions({
    queryKey: [...KEYS.queue, queueId, 'settings'],
    queryFn: async ({ signal }): Promise<QueueRead> => {
      const answer = await client.send('getQueue', { path: { queueId }, query: { expansion: SETTINGS }, signal });
      return { queue: (await answer.json()) as QueueSettingsRead, etag: etagOf(answer) };
    },
    staleTime: 0,
    gcTime: 0,
  });
}

/** The search parameter for the current user in the filter by worker. */
const ME = 'me';

export function itemFilter(
  search: SearchOf<'/frame/queues/$queueId'>,
  userId: string | undefined,
  now: number,
): string {
  const { status, priority, q, externalId, worker } = search;
  const from = sinceTime(search.since, now);
  const pairs = [
    status ? `status:${status.replaceAll(',', '|')}` : undefined,
    priority && /^-?\d+$/.test(priority.trim()) ? `priority:${priority.trim()}` : undefined,
    externalId ? `externalId:${escaped(externalId)}` : undefined,
    worker ? `worker:${escaped(worker === ME && userId !== undefined ? workerOf(userId) : worker)}` : undefined,
    from === undefined ? undefined : `createdAfter:${from}`,
    q ? `search:${escaped(q)}` : undefined,
  ];
  return pairs.filter((pair) => pair !== undefined).join(',');
}

/** In the order of claims. `name` identifies the list, because a relative time changes `filterBy` each minute. */
export function itemPages(queueId: string, name: string, filterBy: string) {
  return infiniteQueryOptions({
    queryKey: [...KEYS.items, { path: { queueId }, name }],
    initialPageParam: 0,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, offset: pageParam, expansion: 'createdAt,lease' };
      const { items, pagination } = await client.listQueueItems({
        path: { queueId },
        query: filterBy === '' ? query : { ...query, filterBy },
        signal,
      });
      return { rows: items, total: pagination.total, next: pagination.hasMore ? pageParam + items.length : undefined };
    },
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  });
}

const WHOLE_ITEM = 'createdAt,updatedAt,queue,lastExecution,object,errorHistory,history,lease,warning';

export function oneItem(queueId: string, itemId: string) {
  return queryOptions({
    queryKey: [...KEYS.item, { path: { queueId, itemId } }],
    queryFn: ({ signal }) =>
      client.getQueueItem({ path: { queueId, itemId }, query: { expansion: WHOLE_ITEM }, signal }),
  });
}

/** Reads one field of an item in full. `getQueueItem` sends a link if the field is too large next to the others. */
export async function readItemField<Field extends 'data' | 'metadata' | 'history' | 'errorHistory'>(
  queueId: string,
  itemId: string,
  field: Field,
): Promise<QueueItem[Field]> {
  return (await client.getQueueItem({ path: { queueId, itemId }, query: { expansion: field } }))[field];
}

/** The previous items stay until the text is parsed, so that the column options do not flicker. */
export function itemsInText(text: string, textColumns: readonly string[]) {
  return queryOptions({
    queryKey: ['pastedItems', text, textColumns],
    queryFn: () => pastedItems(text, textColumns),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}

export const itemName = ({ id, externalId }: { id: string; externalId: string | null }) =>
  externalId ?? `…${id.slice(-6)}`;

export const workerOf = (userId: string) => `console/${userId}`;
