import { TEST_EVENT } from '../../../domain/event/eventTypes.ts';
import { instantOf } from '../../../domain/instant.ts';
import { Problem } from '../../../domain/problem.ts';
import { EVENT_CHANNEL } from '../../../engine/feeds/dueFeed.ts';
import { notify } from '../../../prisma/store/database/capabilities.ts';
import { insertTestDelivery, replayDeliveries } from '../../../prisma/store/eventDelivery/replayDeliveries.ts';
import { EVENT_DELIVERY } from '../../../prisma/store/eventDelivery/resource.ts';
import { EVENT_SUBSCRIPTION } from '../../../prisma/store/eventSubscription/resource.ts';
import { notFound, readResource } from '../../../prisma/store/readResource.ts';
import type { Operation } from '../../operation.ts';

/** Events keep their original ids. */
export const replayEvents: Operation<'replayEvents'> = async ({ caller, params, body, services }) => {
  const { database, config } = services;
  const since = instantOf(body.since);
  const until = instantOf(body.until);
  if (!since || !until || since >= until) {
    const path = since ? 'until' : 'since';
    const message = since && until ? 'expected a time after since' : 'expected a time';
    throw new Problem('VALIDATION_FAILED', `${path}: ${message}`, { errors: [{ path, message }] });
  }
  const place = { workspaceId: caller.workspaceId, subscriptionId: params.eventSubscriptionId };
  const done = await replayDeliveries(database, place, { since, until, limit: config.EVENT_REPLAY_MAX });
  if (!done) throw notFound(EVENT_SUBSCRIPTION);
  if (done.replayed > 0) await notify(database, EVENT_CHANNEL, caller.workspaceId);
  return done;
};

export const testEventSubscription: Operation<'testEventSubscription'> = async (request) => {
  const { caller, params, resourceId: id, services } = request;
  const { database } = services;
  const { eventSubscriptionId } = params;
  const { isActive } = await readResource(database, caller, EVENT_SUBSCRIPTION, eventSubscriptionId);
  if (!isActive) throw new Problem('CONFLICT', 'The event subscription is switched off: set isActive first');
  const place = { workspaceId: caller.workspaceId, subscriptionId: eventSubscriptionId };
  await insertTestDelivery(database, place, { id, type: TEST_EVENT });
  await notify(database, EVENT_CHANNEL, caller.workspaceId);
  return readResource(database, caller, EVENT_DELIVERY, id, { scope: { eventSubscriptionId } });
};
