import { randomBytes } from 'node:crypto';
import { shownSigningSecret } from '../../../domain/event/signedMessage.ts';
import { Problem } from '../../../domain/problem.ts';
import { sealPlace } from '../../../engine/secrets/sealPlace.ts';
import { insertSubscription } from '../../../prisma/store/eventSubscription/insertSubscription.ts';
import { EVENT_SUBSCRIPTION } from '../../../prisma/store/eventSubscription/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { userIdOf } from '../../access/caller.ts';
import type { Operation } from '../../operation.ts';
import { checkSubscription } from './checkSubscription.ts';

const SECRET_BYTES = 32;

export const createEventSubscription: Operation<'createEventSubscription'> = async (request) => {
  const { caller, body, resourceId: id, services } = request;
  const { database, sealer, config } = services;
  const { workspaceId } = caller;
  const { url, events } = body;
  const filterBy = checkSubscription(services, workspaceId, { ...body, filterBy: body.filterBy ?? '' });
  const secret = body.secret ?? shownSigningSecret(randomBytes(SECRET_BYTES));
  const most = config.EVENT_SUBSCRIPTIONS_MAX;
  const isWritten = await insertSubscription(database, workspaceId, most, {
    ...{ id, url, events, filterBy, createdByUserId: userIdOf(caller) },
    secret: sealer.seal(sealPlace('event_subscriptions', { workspace_id: workspaceId, id }), secret),
  });
  if (!isWritten) {
    throw new Problem('CONFLICT', `The workspace has ${most} event subscriptions, which is the maximum`);
  }
  return { ...(await readResource(database, caller, EVENT_SUBSCRIPTION, id)), secret };
};
