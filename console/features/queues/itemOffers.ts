import { ITEM_MOVES, REQUEUED_FROM } from '../../../domain/queue/itemMoves.ts';
import type { ItemStatus } from '../../../domain/queue/itemStatus.ts';
import { retriesRemain } from '../../../domain/queue/retryRules.ts';

/** What a person can do with an item: move it to a status, begin it again with all its retries, or delete it. */
export type Offer = ItemStatus | 'requeue' | 'remove';

interface Movable {
  status: ItemStatus;
  retryCount: number;
  maxRetries: number;
}

/** Only what the API will take now; what is done most comes first. */
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
