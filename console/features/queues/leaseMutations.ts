import { isProblem } from 'perdure-client';
import { useSyncExternalStore } from 'react';
import { client } from '../../app/session/session.ts';
import { browserTexts, onOtherTab, STORED } from '../../app/storage/browserStorage.ts';
import { newReaders } from '../../ui/load/readers.ts';

export interface HeldItem {
  queueId: string;
  queueName: string;
  itemId: string;
  name: string;
  /** `leaseMs`: how long the lease lasts from each heartbeat. */
  lease: number;
  leaseMs: number;
  expiresAt: string;
  /** True if somebody else has the item, or may have it. */
  isLost: boolean;
  note: string;
}

/** The wait after a failed heartbeat. */
const RETRY_MS = 5_000;

let place: string | undefined;
let held: readonly HeldItem[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
const readers = newReaders();

type ItemPlace = Pick<HeldItem, 'queueId' | 'itemId'>;

export const isOfItem =
  ({ queueId, itemId }: ItemPlace) =>
  (each: ItemPlace) =>
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

/** Extends the leases of the user's items, on every page, until the returned function is called. */
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

/** A third of a lease passes between two heartbeats. */
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
      if (isLeaseLost(error)) changeHeld(item, { isLost: true });
      // The API is away or busy; the lease may outlast that.
      else isMissed = true;
    }
  }
  schedule(isMissed ? RETRY_MS : 0);
}

/** Sends a heartbeat at once, to learn whether the item's lease is lost. */
export const checkLease = (item: ItemPlace): void => void beat(isOfItem(item));

export function isLeaseLost(error: unknown): boolean {
  return (
    isProblem(error) && (error.code === 'LEASE_LOST' || error.code === 'INVALID_TRANSITION' || error.status === 404)
  );
}

export function hold(item: HeldItem): void {
  keep([...held.filter((each) => !isOfItem(item)(each)), item]);
  schedule(0);
}

export function changeHeld(item: ItemPlace, change: Partial<HeldItem>): void {
  keep(held.map((each) => (isOfItem(item)(each) ? { ...each, ...change } : each)));
}

export function release(item: ItemPlace): void {
  keep(held.filter((each) => !isOfItem(item)(each)));
}

/** The user's claimed items in this browser, in the order of the claims. */
export function useHeldItems(): readonly HeldItem[] {
  return useSyncExternalStore(readers.subscribe, () => held);
}
