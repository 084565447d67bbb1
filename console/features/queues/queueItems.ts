import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, isProblem } from 'perdure-client';
import { PAGE_SIZE } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';
import { escaped } from '../../ui/escaped.ts';
import type { Search } from '../../ui/search.ts';
import { sinceTime } from '../../ui/time/since.ts';
import { type Offer, offersOf } from './itemOffers.ts';
import { workerOf } from './queues.ts';

export type ItemRow = Answer<'listQueueItems'>['items'][number];

/** In the address and in the field of the filter: the person who looks. */
const ME = 'me';

/** The API's `filterBy` of the address of a queue's page, for this person. */
export function itemFilter(search: Search, userId: string | undefined, now: number): string {
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

/**
 * Pages of the items of a queue, in the order in which they are taken. `name`: of the list; those of the last hour are other
 * ones each minute, and the same list.
 */
export function itemPages(queueId: string, name: string, filterBy: string) {
  return infiniteQueryOptions({
    queryKey: ['listQueueItems', { path: { queueId }, name }],
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

/** A queue with its settings and figures; a deleted one too. */
export function oneQueue(queueId: string) {
  return queryOptions({
    queryKey: ['getQueue', { path: { queueId } }],
    queryFn: ({ signal }) =>
      client.getQueue({
        path: { queueId },
        query: { includeType: 'deleted', expansion: 'description,project,statistics,itemCounts,deletedAt' },
        signal,
      }),
  });
}

/** What a bulk action is about: rows that were chosen, or all that a filter finds. */
export type ItemTarget = { rows: readonly ItemRow[] } | { filterBy: string };

export type BulkOffer = Extract<Offer, 'COMPLETED' | 'FAILED' | 'requeue' | 'remove'>;

export interface BulkEnd {
  moved: number;
  refused: { id: string; code: string; message: string }[];
}

/** Every item of a queue has a status. */
const ALL = 'status:FAILED|CANCELLED';

export const eligible = (offer: BulkOffer, rows: readonly ItemRow[]) =>
  rows.filter((row) => offersOf(row).includes(offer));

const chosenBy = (offer: BulkOffer, target: ItemTarget) =>
  'rows' in target
    ? { itemIds: eligible(offer, target.rows).map(({ id }) => id) }
    : { filterBy: target.filterBy === '' ? ALL : target.filterBy };

/** How many it would concern, without doing it. */
export async function countOffer(queueId: string, offer: BulkOffer, target: ItemTarget): Promise<number> {
  if ('rows' in target) return eligible(offer, target.rows).length;
  const body = { ...chosenBy(offer, target), dryRun: true } as { filterBy: string; dryRun: boolean };
  return (await client.bulkRequeueQueueItems({ path: { queueId }, body })).matched;
}

interface BulkOptions {
  reason: string;
  signal: AbortSignal;
  onProgress: (moved: number) => void;
}

/** Does it: in one request where the API has one, otherwise one by one. */
export async function runOffer(
  queueId: string,
  offer: BulkOffer,
  target: ItemTarget,
  options: BulkOptions,
): Promise<BulkEnd> {
  if (offer === 'requeue') return await requeueAll(queueId, target, options);
  if (!('rows' in target)) throw new TypeError('only chosen items are moved one by one');
  const rows = eligible(offer, target.rows);
  if (offer !== 'remove') return await moveEach(queueId, offer, rows, options);
  const { deleted } = await client.bulkDeleteQueueItems({
    path: { queueId },
    body: { itemIds: rows.map(({ id }) => id) },
  });
  return { moved: deleted, refused: [] };
}

/** Round after round: one takes ten thousand at most. */
async function requeueAll(queueId: string, target: ItemTarget, { signal, onProgress }: BulkOptions): Promise<BulkEnd> {
  let moved = 0;
  for (;;) {
    signal.throwIfAborted();
    const body = chosenBy('requeue', target) as { filterBy: string };
    const { matched, requeued } = await client.bulkRequeueQueueItems({ path: { queueId }, body, signal });
    moved += requeued;
    onProgress(moved);
    if (requeued === 0 || requeued >= matched) return { moved, refused: [] };
  }
}

async function moveEach(
  queueId: string,
  status: 'COMPLETED' | 'FAILED',
  rows: readonly ItemRow[],
  { reason, signal, onProgress }: BulkOptions,
): Promise<BulkEnd> {
  const end: BulkEnd = { moved: 0, refused: [] };
  for (const { id: itemId } of rows) {
    signal.throwIfAborted();
    try {
      await client.setQueueItemStatus({ path: { queueId, itemId }, body: moveBody(status, reason), signal });
      end.moved += 1;
      onProgress(end.moved);
    } catch (error) {
      if (!isProblem(error) || error.status === 0) throw error;
      end.refused.push({ id: itemId, code: error.code, message: error.detail });
    }
  }
  return end;
}

/** A failure has its reason as its error, another move as a note. */
export function moveBody<Status extends string>(status: Status, reason: string) {
  const text = reason.trim();
  if (text === '') return { status };
  return status === 'FAILED' || status === 'RETRYING' ? { status, error: text } : { status, note: text };
}
