import type { components } from './contract.ts';
import { newIdempotencyKey } from './idempotencyKey.ts';
import { isProblem, type PerdureProblem } from './problem.ts';
import type { Given } from './request.ts';
import { pause, untilAnswered } from './retries.ts';
import type { Send } from './transport.ts';

export type ClaimedItem = components['schemas']['QueueItem'] & {
  lease: { number: number; worker: string | null; expiresAt: string };
};

/** Processes an item. A rejection fails the item. `signal` is aborted when the lease is lost. */
export type ItemHandler = (item: ClaimedItem, circumstances: { signal: AbortSignal }) => unknown;

export interface WorkOptions {
  /** Items processed concurrently; 1 by default. */
  concurrency?: number;
  /** Lease of an item without a heartbeat; 300,000 by default. Heartbeats are sent every third of it. */
  leaseMs?: number;
  /** Shown with the item. */
  worker?: string;
  /** Stops claiming. Items in progress are finished before the promise resolves. */
  signal?: AbortSignal;
  /** Pause after an empty claim; 1,000 by default. */
  idleMs?: number;
  /** Resolves as soon as no item is ready, instead of waiting for more. */
  untilEmpty?: boolean;
  /** Called once per outage. A worker that has claimed before waits for its end; one that has not rejects. */
  onAway?: (problem: PerdureProblem) => void;
}

export interface WorkCounts {
  completed: number;
  failed: number;
  /** Items whose lease ended before their work did; other workers may have them now. */
  lost: number;
}

const LEASE_MS = 300_000;
const IDLE_MS = 1_000;

/** Claims items one by one up to `concurrency`, renews their leases, and completes or fails them. */
export async function work(
  send: Send,
  queueId: string,
  handler: ItemHandler,
  {
    concurrency = 1,
    leaseMs = LEASE_MS,
    worker,
    signal,
    idleMs = IDLE_MS,
    untilEmpty = false,
    onAway,
  }: WorkOptions = {},
): Promise<WorkCounts> {
  const counts: WorkCounts = { completed: 0, failed: 0, lost: 0 };
  const name = worker === undefined ? {} : { worker };

  let hasClaimed = false;

  async function claim(): Promise<ClaimedItem | undefined> {
    const body = { limit: 1, leaseMs, ...name };
    // One key for all tries, since a claim whose answer was lost still holds an item.
    const idempotencyKey = newIdempotencyKey();
    const tried = async () => {
      const query = { expansion: 'data,metadata,lease' };
      const answer = await send('claimQueueItems', { path: { queueId }, body, query, idempotencyKey });
      return ((await answer.json()) as ClaimedItem[])[0];
    };
    const item = await (hasClaimed ? untilAnswered(tried, { signal, onAway }) : tried());
    hasClaimed = true;
    return item;
  }

  async function line(): Promise<void> {
    while (!signal?.aborted) {
      const item = await claim().catch((error: unknown) => {
        if (!signal?.aborted || error !== signal.reason) throw error;
      });
      if (item !== undefined) counts[await oneItem(send, queueId, item, handler, { leaseMs, onAway })] += 1;
      else if (untilEmpty) return;
      else await pause(idleMs, signal).catch(() => undefined);
    }
  }

  const ends = await Promise.allSettled(Array.from({ length: concurrency }, line));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
  return counts;
}

async function oneItem(
  send: Send,
  queueId: string,
  item: ClaimedItem,
  handler: ItemHandler,
  { leaseMs, onAway }: { leaseMs: number; onAway: WorkOptions['onAway'] },
): Promise<keyof WorkCounts> {
  const lost = new AbortController();
  const ended = new AbortController();
  const place = { path: { queueId, itemId: item.id } };
  const lease = item.lease.number;
  const alive = keepAlive(send, { ...place, body: { leaseMs, lease } }, leaseMs / 3, lost, ended.signal);
  try {
    const error = await failureOf(handler, item, lost.signal);
    if (lost.signal.aborted) return 'lost';
    const idempotencyKey = newIdempotencyKey();
    // Repeating the same end under the same lease is safe, so the result is reported however long the outage lasts.
    await untilAnswered(
      () =>
        error === undefined
          ? send('setQueueItemStatus', { ...place, body: { status: 'COMPLETED', lease } })
          : send('recordQueueItemError', { ...place, body: { error, lease }, idempotencyKey }),
      { onAway },
    );
    return error === undefined ? 'completed' : 'failed';
  } catch (problem) {
    if (isProblem(problem, 'LEASE_LOST')) return 'lost';
    throw problem;
  } finally {
    ended.abort();
    await alive;
  }
}

const MAX_MESSAGE_LENGTH = 10_000;

async function failureOf(
  handler: ItemHandler,
  item: ClaimedItem,
  signal: AbortSignal,
): Promise<{ message: string; code?: string } | undefined> {
  try {
    await handler(item, { signal });
    return undefined;
  } catch (error) {
    const message = (error instanceof Error ? error.message : String(error)).slice(0, MAX_MESSAGE_LENGTH) || 'failed';
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
    return code === undefined ? { message } : { message, code: code.slice(0, 200) };
  }
}

/** Sends heartbeats until `ended`. A failed heartbeat is followed by the next one; a lost lease aborts the work. */
async function keepAlive(
  send: Send,
  given: Given,
  everyMs: number,
  lost: AbortController,
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted) {
    try {
      await pause(everyMs, ended);
      await send('heartbeatQueueItem', { ...given, signal: ended });
    } catch (error) {
      if (ended.aborted) return;
      if (isProblem(error, 'LEASE_LOST') || isProblem(error, 'NOT_FOUND')) return lost.abort(error);
    }
  }
}
