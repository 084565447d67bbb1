import type { Problem } from '../../domain/problem.ts';
import type { OnceMove } from '../../prisma/store/queueItem/moveItem.ts';
import { moveItemOnce } from '../../prisma/store/queueItem/moveItem.ts';
import { hasMove } from '../../prisma/store/queueItem/repeatedRequests.ts';
import type { Transitioned } from '../../prisma/store/transition.ts';
import { actorOf, type ItemRequest, movedItem, optionsOf, warnedItem } from './itemPlace.ts';

type OnceRequest = ItemRequest & { resourceId: string; isRepeated: boolean };

/** Moves an item once per POST, by the request's id in its history. Throws the `refusal` of its state. */
export async function moveOnce(
  request: OnceRequest,
  move: OnceMove,
  refusal: (found: Transitioned) => Problem,
): Promise<unknown> {
  const { caller, params, resourceId: moveId, isRepeated, services } = request;
  const { database } = services;
  const options = optionsOf(request);
  if (isRepeated && (await hasMove(database, caller, params.itemId, moveId))) {
    return warnedItem(request);
  }
  const result = await moveItemOnce(database, caller, params.itemId, move, { by: actorOf(caller), moveId }, options);
  if (result.moved) return movedItem(request, result);
  throw refusal(result);
}
