import { requireWritableQueue } from '../../../prisma/store/queue/requireWritable.ts';
import { claimedBefore, claimItems, extendLease } from '../../../prisma/store/queueItem/lease.ts';
import type { Operation } from '../../operation.ts';
import { actorOf, leaseLost, optionsOf } from '../../queues/itemPlace.ts';

const DEFAULT_LEASE_MS = 300_000;

export const claimQueueItems: Operation<'claimQueueItems'> = async (request) => {
  const { caller, params, query, body, resourceId, isRepeated, services } = request;
  const { database, config } = services;
  const { limit = 1, leaseMs = DEFAULT_LEASE_MS, worker } = body ?? {};
  const options = { query, answerBytes: config.MAX_ANSWER_BYTES };
  const before = isRepeated ? await claimedBefore(database, caller, params.queueId, resourceId, options) : [];
  if (before.length > 0) return before;
  const claim = { id: resourceId, limit, leaseMs, worker, by: actorOf(caller) };
  const items = await claimItems(database, caller, params.queueId, claim, options);
  // Checked afterwards, so that a successful claim does not pay for it.
  if (items.length === 0) await requireWritableQueue(database, caller, params.queueId);
  return items;
};

export const heartbeatQueueItem: Operation<'heartbeatQueueItem'> = async (request) => {
  const { caller, params, body, services } = request;
  const { leaseMs = DEFAULT_LEASE_MS, worker, lease: number } = body ?? {};
  const proof = { number, worker, by: actorOf(caller) };
  const options = optionsOf(request);
  const expansion = `${request.query.expansion ?? ''},lease`;
  const shown = { ...options, query: { ...options.query, expansion } };
  const { moved, item } = await extendLease(services.database, caller, params.itemId, leaseMs, proof, shown);
  if (!moved) throw leaseLost();
  return item;
};
