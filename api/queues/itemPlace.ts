import { Problem } from '../../domain/problem.ts';
import type { ItemStatus } from '../../domain/queue/itemStatus.ts';
import type { Actor } from '../../prisma/store/queueItem/history.ts';
import type { LeaseProof } from '../../prisma/store/queueItem/lease.ts';
import { QUEUE_ITEM } from '../../prisma/store/queueItem/resource.ts';
import { type ReadOptions, readResource } from '../../prisma/store/readResource.ts';
import { checkReadQuery, type ReadQuery } from '../../prisma/store/resourceQuery.ts';
import type { Transitioned } from '../../prisma/store/transition.ts';
import type { Caller } from '../access/caller.ts';
import type { Services } from '../services.ts';

export interface ItemRequest {
  caller: Caller;
  params: { queueId: string; itemId: string };
  query: ReadQuery;
  services: Services;
}

export function optionsOf({ params, query, services }: ItemRequest): ReadOptions {
  return { query, scope: { queueId: params.queueId }, answerBytes: services.config.MAX_ANSWER_BYTES };
}

export function leaseOf(caller: Caller, number: number | undefined): LeaseProof | undefined {
  return number === undefined ? undefined : { number, by: actorOf(caller) };
}

/** A move returns only the row; expansions of other tables need a read. */
const WRITTEN_BESIDE = ['errorHistory', 'history', 'warning'];

const shownOf = ({ query }: ItemRequest) => checkReadQuery(QUEUE_ITEM, query).fields;

/** Returns the moved item; `before`: the execution that may still work on it. */
export async function movedItem(
  request: ItemRequest,
  { item, before }: Pick<Transitioned, 'item' | 'before'>,
): Promise<unknown> {
  if (before === null && !shownOf(request).some((name) => WRITTEN_BESIDE.includes(name))) return item;
  return warnedItem(request);
}

export async function warnedItem(request: ItemRequest): Promise<unknown> {
  const { caller, params, services, query } = request;
  const options = optionsOf(request);
  const expansion = `${query.expansion ?? ''},warning`;
  const shown = { ...options, query: { ...options.query, expansion } };
  const { warning, ...item } = await readResource(services.database, caller, QUEUE_ITEM, params.itemId, shown);
  return warning === null && !shownOf(request).includes('warning') ? item : { ...item, warning };
}

export function invalidMove(from: string, to: ItemStatus, allowed: readonly ItemStatus[]): Problem {
  const there = allowed.length > 0 ? `only to ${allowed.join(', ')}` : 'to no other status';
  return new Problem('INVALID_TRANSITION', `The item is ${from} and cannot move to ${to}: it may move ${there}`);
}

export function leaseLost(): Problem {
  return new Problem('LEASE_LOST', 'The lease has expired, or another worker holds the item');
}

export function actorOf(caller: Caller): Actor {
  return caller.kind === 'user' ? { type: 'user', id: caller.userId } : { type: 'apiKey', id: caller.apiKeyId };
}
