import type { Json } from '../../../domain/json.ts';
import { EVENT_CHANNEL } from '../../../engine/feeds/dueFeed.ts';
import { sealPlace } from '../../../engine/secrets/sealPlace.ts';
import { changeResource } from '../../../prisma/store/changeResource.ts';
import { notify } from '../../../prisma/store/database/capabilities.ts';
import { readSubscribed } from '../../../prisma/store/eventSubscription/insertSubscription.ts';
import { EVENT_SUBSCRIPTION, EVENT_SUBSCRIPTION_TO_SEAL } from '../../../prisma/store/eventSubscription/resource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import type { Operation } from '../../operation.ts';
import { checkSubscription } from './checkSubscription.ts';

/** Changes given fields. A new secret signs from the next attempt on, and no answer shows it. */
export const updateEventSubscription: Operation<'updateEventSubscription'> = async (request) => {
  const { caller, params, body = {}, services } = request;
  const { database, sealer } = services;
  const { workspaceId } = caller;
  const id = params.eventSubscriptionId.toLowerCase();
  const stored = await readSubscribed(database, workspaceId, id);
  if (!stored) throw notFound(EVENT_SUBSCRIPTION);
  const { secret, filterBy: given, ...others } = body;
  // Null is an empty filter.
  const wanted = given === null ? '' : (given ?? stored.filterBy);
  const events = body.events ?? stored.events;
  const filterBy = checkSubscription(services, workspaceId, { url: body.url, events, filterBy: wanted, secret });
  const change = { ...others, ...(given === undefined ? {} : { filterBy }) } as Record<string, Json>;
  if (secret !== undefined) {
    const { sealed, keyId } = sealer.seal(sealPlace('event_subscriptions', { workspace_id: workspaceId, id }), secret);
    Object.assign(change, { sealed: Buffer.from(sealed).toString('base64'), keyId });
  }
  const item = await changeResource(database, caller, EVENT_SUBSCRIPTION_TO_SEAL, id, change);
  // Resume deliveries that waited while it was off.
  if (body.isActive === true) await notify(database, EVENT_CHANNEL, workspaceId);
  return item;
};
