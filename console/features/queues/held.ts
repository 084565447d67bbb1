import { isProblem } from 'perdure-client';
import { useSyncExternalStore } from 'react';
import { client } from '../../app/session/session.ts';
import { browserTexts, onOtherTab, STORED } from '../../app/storage/browserStorage.ts';
import { newReaders } from '../../ui/load/readers.ts';

/** An item of a queue that this person has claimed here. */
export interface HeldItem {
  queueId: string;
  queueName: string;
  itemId: string;
  /** What the person calls it. */
  name: string;
  /** The number of the lease, and how long it lasts from each sign of life. */
  lease: number;
  leaseMs: number;
  expiresAt: string;
  /** Somebody else has it, or may have it: nothing can be done with it here. */
  isLost: boolean;
  /** What the person wrote. */
  note: string;
}

/** After a sign of life that did not arrive. */
const AGAIN_MS = 5_000;

let place: string | undefined;
let held: readonly HeldItem[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
const readers = newReaders();

const isOf =
  ({ queueId, itemId }: Pick<HeldItem, 'queueId' | 'itemId'>) =>
  (each: HeldItem) =>
    each.queueId === queueId && each.itemId === itemId;

function show(next: readonly HeldItem[]): void {
  held = next;
  readers.say();
}

function keep(next: readonly HeldItem[]): void {
  if (place !== undefined) browserTexts().setItem(place, JSON.stringify(next));
  show(next);
}

function readKept(): readonly HeldItem[] {
  const text = place === undefined ? null : browserTexts().getItem(place);
  return text === null ? [] : (JSON.parse(text) as HeldItem[]);
}

/** Keeps the leases of what the person holds in this browser, on whatever page, until the returned function is called. */
export function keepLeases(userId: string): () => void {
  place = `${STORED.leases.key}${userId}`;
  show(readKept());
  const stop = onOtherTab(({ key }) => {
    if (key === place) show(readKept());
  });
  schedule(0);
  return () => {
    stop();
    clearTimeout(timer);
    place = undefined;
    show([]);
  };
}

const live = () => held.filter(({ isLost }) => !isLost);

/** A third of a lease passes between two signs of life. */
const dueAt = ({ expiresAt, leaseMs }: HeldItem) => Date.parse(expiresAt) - (leaseMs * 2) / 3;

function schedule(atLeastMs: number): void {
  clearTimeout(timer);
  if (live().length === 0) return;
  const next = Math.min(...live().map(dueAt)) - Date.now();
  timer = setTimeout(() => void beat(), Math.max(atLeastMs, next));
}

async function beat(isDue = (item: HeldItem) => dueAt(item) <= Date.now()): Promise<void> {
  const mine = place;
  let isMissed = false;
  for (const item of live().filter(isDue)) {
    try {
      const { queueId, itemId, leaseMs, lease } = item;
      const answer = await client.heartbeatQueueItem({
        path: { queueId, itemId },
        body: { leaseMs, lease },
        query: { expansion: 'lease' },
      });
      if (place !== mine) return;
      changeHeld(item, { expiresAt: answer.lease?.expiresAt ?? new Date(Date.now() + leaseMs).toISOString() });
    } catch (error) {
      if (place !== mine) return;
      if (isLoss(error)) changeHeld(item, { isLost: true });
      // The API is away or busy: the lease may last until it is back.
      else isMissed = true;
    }
  }
  schedule(isMissed ? AGAIN_MS : 0);
}

/** Asks at once whether an item is still ours: what was read of it says that it is not. */
export const doubt = (item: Pick<HeldItem, 'queueId' | 'itemId'>): void => void beat(isOf(item));

/** A refusal by which the item is not ours any more. */
export function isLoss(error: unknown): boolean {
  return (
    isProblem(error) && (error.code === 'LEASE_LOST' || error.code === 'INVALID_TRANSITION' || error.status === 404)
  );
}

export function hold(item: HeldItem): void {
  keep([...held.filter((each) => !isOf(item)(each)), item]);
  schedule(0);
}

export function changeHeld(item: Pick<HeldItem, 'queueId' | 'itemId'>, change: Partial<HeldItem>): void {
  keep(held.map((each) => (isOf(item)(each) ? { ...each, ...change } : each)));
}

export function letGo(item: Pick<HeldItem, 'queueId' | 'itemId'>): void {
  keep(held.filter((each) => !isOf(item)(each)));
}

/** What the person holds in this browser, in the order of the claims. */
export function useHeld(): readonly HeldItem[] {
  return useSyncExternalStore(readers.subscribe, () => held);
}
