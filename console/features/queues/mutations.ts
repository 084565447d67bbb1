import { queryOptions } from '@tanstack/react-query';
import { type Arguments, isProblem } from 'perdure-client';
import { ifMatch } from '../../app/api/ifMatch.ts';
import { client } from '../../app/session/session.ts';
import { type Offer, offersOf } from './itemOffers.ts';
import { type HeldItem, hold } from './leaseMutations.ts';
import type { NewItem } from './pastedItems.ts';
import { type ItemRow, itemName, type QueueItem, type QueueRead, workerOf } from './queries.ts';
import type { QueueChange } from './queueForm.ts';

type QueueName = Pick<QueueItem, 'id'> & { name: string };

export const createQueue = (projectId: string, body: Arguments<'createQueue'>['body']) =>
  client.createQueue({ query: { projectId }, body });

/** Changes a queue unless somebody else has changed it since it was read (412). */
export const updateQueue = ({ queue, etag }: QueueRead, body: QueueChange) =>
  client.updateQueue({ path: { queueId: queue.id }, ...ifMatch(etag), body });

export type QueueAct = 'pause' | 'activate' | 'delete' | 'restore';

export async function actOnQueue(queueId: string, act: QueueAct): Promise<void> {
  const given = { path: { queueId } };
  if (act === 'pause') await client.deactivateQueue(given);
  else if (act === 'activate') await client.activateQueue(given);
  else if (act === 'delete') await client.deleteQueue(given);
  else await client.restoreQueue(given);
}

export const addItem = (queueId: string, body: Arguments<'createQueueItem'>['body']) =>
  client.createQueueItem({ path: { queueId }, body });

export const addItems = (queueId: string, items: NewItem[], duplicates: 'skip' | 'update') =>
  client.bulkCreateQueueItems({ path: { queueId }, body: { items, options: { duplicates } } });

export const changeItemData = (queueId: string, itemId: string, data: Record<string, unknown>) =>
  client.updateQueueItem({ path: { queueId, itemId }, body: { data } });

export async function claimNext(
  queue: QueueName,
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

const FIRST_LEASE_MS = 300_000;

/** Moves an item. Moving it to PROCESSING also gives the user its lease, as a claim does. */
export async function moveItem(queue: QueueName, item: QueueItem, offer: Offer, reason: string): Promise<void> {
  const path = { queueId: queue.id, itemId: item.id };
  if (offer === 'remove') return void (await client.deleteQueueItem({ path }));
  if (offer === 'requeue') return void (await client.requeueQueueItem({ path }));
  // The item is due at once and uses none of its retries.
  if (offer === 'RETRYING' && item.status === 'FAILED') return void (await client.retryQueueItem({ path }));
  if (offer === 'FAILED' && item.status === 'PROCESSING') {
    return void (await client.recordQueueItemError({ path, body: { error: reason.trim() } }));
  }
  const leaseMs = FIRST_LEASE_MS;
  const body = { ...moveBody(offer, reason), ...(offer === 'PROCESSING' ? { leaseMs } : {}) };
  const moved = await client.setQueueItemStatus({ path, body, query: { expansion: 'lease' } });
  if (offer !== 'PROCESSING' || moved.lease == null) return;
  const { number: lease, expiresAt } = moved.lease;
  const names = { queueName: queue.name, name: itemName(item) };
  hold({ ...path, ...names, lease, leaseMs, expiresAt, isLost: false, note: reason });
}

/** Ends the work on a claimed item. Returns its new status. */
export async function endWork({ queueId, itemId, lease, note }: HeldItem, how: 'complete' | 'fail' | 'release') {
  const path = { queueId, itemId };
  const text = note.trim();
  if (how === 'fail') return (await client.recordQueueItemError({ path, body: { error: text, lease } })).status;
  const status = how === 'complete' ? 'COMPLETED' : 'PENDING';
  await client.setQueueItemStatus({ path, body: { status, lease, ...(text === '' ? {} : { note: text }) } });
  return status;
}

export type ItemTarget = { rows: readonly ItemRow[] } | { filterBy: string };

export type BulkOffer = Extract<Offer, 'COMPLETED' | 'FAILED' | 'requeue' | 'remove'>;

export interface BulkEnd {
  moved: number;
  refused: { id: string; code: string; message: string }[];
}

/** The statuses from which items can be requeued. */
const ALL = 'status:FAILED|CANCELLED';

const eligible = (offer: BulkOffer, rows: readonly ItemRow[]) => rows.filter((row) => offersOf(row).includes(offer));

const bodyOf = (offer: BulkOffer, target: ItemTarget) =>
  'rows' in target
    ? { itemIds: eligible(offer, target.rows).map(({ id }) => id) }
    : { filterBy: target.filterBy === '' ? ALL : target.filterBy };

export function bulkCount(queueId: string, offer: BulkOffer, target: ItemTarget) {
  return queryOptions({
    queryKey: ['bulk', offer, queueId, target],
    queryFn: async () => {
      if ('rows' in target) return eligible(offer, target.rows).length;
      const body = { ...bodyOf(offer, target), dryRun: true } as { filterBy: string; dryRun: boolean };
      return (await client.bulkRequeueQueueItems({ path: { queueId }, body })).matched;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

interface BulkOptions {
  reason: string;
  signal: AbortSignal;
  onProgress: (moved: number) => void;
}

/** Moves many items: in one request if the API has one for the move, otherwise one by one. */
export async function moveItems(
  queueId: string,
  offer: BulkOffer,
  target: ItemTarget,
  options: BulkOptions,
): Promise<BulkEnd> {
  if (offer === 'requeue') return await requeueAll(queueId, target, options);
  if (!('rows' in target)) throw new TypeError('only selected items are moved one by one');
  const rows = eligible(offer, target.rows);
  if (offer !== 'remove') return await moveEach(queueId, offer, rows, options);
  const { deleted } = await client.bulkDeleteQueueItems({
    path: { queueId },
    body: { itemIds: rows.map(({ id }) => id) },
  });
  return { moved: deleted, refused: [] };
}

/** One request requeues at most 10,000 items. */
async function requeueAll(queueId: string, target: ItemTarget, { signal, onProgress }: BulkOptions): Promise<BulkEnd> {
  let moved = 0;
  for (;;) {
    signal.throwIfAborted();
    const body = bodyOf('requeue', target) as { filterBy: string };
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

/** The reason of a failure is its error; the reason of another move is a note. */
function moveBody<Status extends string>(status: Status, reason: string) {
  const text = reason.trim();
  if (text === '') return { status };
  return status === 'FAILED' || status === 'RETRYING' ? { status, error: text } : { status, note: text };
}
