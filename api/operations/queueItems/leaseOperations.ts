import { requireWritableQueue } from '../../../prisma/store/queue/requireWritable.ts';
import { claimItems, extendLease } from '../../../prisma/store/queueItem/lease.ts';
import type { Operation } from '../../operation.ts';
import { actorOf, leaseLost, optionsOf } from '../../queues/itemPlace.ts';

const DEFAULT_LEASE_MS = 300_000;

export const claimQueueItems: Operation<'claimQueueItems'> = async ({ caller, params, query, body, services }) => {
  const { database, config } = services;
  const { limit = 1, leaseMs = DEFAULT_LEASE_MS, worker } = body;
  const claim = { limit, leaseMs, worker, by: actorOf(caller) };
  const items = await claimItems(database, caller, params.queueId, claim, {
    query,
    answerBytes: config.MAX_ANSWER_BYTES,
  });
  // Checked afterwards, so that a successful claim does not pay for it.
  if (items.length === 0) await requireWritableQueue(database, caller, params.queueId);
  return items;
};

export const heartbeatQueueItem: Operation<'heartbeatQueueItem'> = async (request) => {
  const { caller, params, body, services } = request;
  const { leaseMs = DEFAULT_LEASE_MS, worker, lease: number } = body;
  const proof = { number, worker, by: actorOf(caller) };
  const options = optionsOf(request);
  const expansion = `${request.query.expansion ?? ''},lease`;
  const shown = { ...options, query: { ...options.query, expansion } };
  const { moved, item } = await extendLease(services.database, caller, params.itemId, leaseMs, proof, shown);
  if (!moved) throw leaseLost();
  return item;
};
