import { ITEM_STATUSES, type ItemStatus } from './itemStatus.ts';

/**
 * Every move of an item that there is:
 *
 *                 to  PENDING  PROCESSING  RETRYING  COMPLETED  FAILED  CANCELLED
 *   from PENDING         ·         ●          ·          ●         ●        ●
 *        PROCESSING      ●         ·          ●          ●         ●        ●
 *        RETRYING        ·         ●          ·          ·         ●        ●
 *        COMPLETED       ·         ·          ·          ·         ·        ·
 *        FAILED          ·         ·          ○          ·         ·        ●
 *        CANCELLED       ·         ·          ·          ·         ·        ·
 *
 *   ● always   ○ while retries remain   · never; a move to the status that an item has is none
 *
 *            claim, begin             end well
 *   PENDING ──────────────► PROCESSING ───────► COMPLETED
 *      ▲                     │  ▲   │
 *      └─────── postpone ────┘  │   └── error, retries remain ──► RETRYING ──┐
 *                               └──────────── due, claim, begin ─────────────┘
 */
export const ITEM_MOVES: Readonly<Record<ItemStatus, readonly ItemStatus[]>> = {
  PENDING: ['PROCESSING', 'COMPLETED', 'FAILED', 'CANCELLED'],
  PROCESSING: ['COMPLETED', 'FAILED', 'RETRYING', 'PENDING', 'CANCELLED'],
  RETRYING: ['PROCESSING', 'FAILED', 'CANCELLED'],
  COMPLETED: [],
  FAILED: ['RETRYING', 'CANCELLED'],
  CANCELLED: [],
};

/** Requeueing from these statuses moves an item back to PENDING with all its retries. No other move leaves them. */
export const REQUEUED_FROM: readonly ItemStatus[] = ['FAILED', 'CANCELLED'];

export function movesTo(status: ItemStatus): ItemStatus[] {
  return ITEM_STATUSES.filter((from) => ITEM_MOVES[from].includes(status));
}

export function isFinal(status: ItemStatus): boolean {
  return ITEM_MOVES[status].length === 0;
}
