import { ITEM_MOVES, REQUEUED_FROM } from '../../../domain/queue/itemMoves.ts';
import type { ItemStatus } from '../../../domain/queue/itemStatus.ts';
import { retriesRemain } from '../../../domain/queue/retryRules.ts';

/** A move to a status, a new start with all retries (`requeue`), or the deletion. */
export type Offer = ItemStatus | 'requeue' | 'remove';

interface Movable {
  status: ItemStatus;
  retryCount: number;
  maxRetries: number;
}

/** Returns what the API accepts now, the most frequent offers first. */
export function offersOf(item: Movable): Offer[] {
  const { status } = item;
  const moves = ITEM_MOVES[status].filter((to) => to !== 'RETRYING' || retriesRemain(item.retryCount, item));
  return [
    ...moves.filter((to) => to !== 'CANCELLED'),
    ...(REQUEUED_FROM.includes(status) ? (['requeue'] as const) : []),
    ...moves.filter((to) => to === 'CANCELLED'),
    ...(status === 'PROCESSING' ? [] : (['remove'] as const)),
  ];
}
