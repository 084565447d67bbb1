import type { JsonObject } from '../../../domain/json.ts';
import { Prisma } from '../../../prisma/generated/client.ts';
import { PROJECT } from '../../../prisma/store/project/resource.ts';
import { insertQueue } from '../../../prisma/store/queue/insertQueue.ts';
import { readStats } from '../../../prisma/store/queue/readStats.ts';
import { QUEUE } from '../../../prisma/store/queue/resource.ts';
import { notFound, readResource } from '../../../prisma/store/readResource.ts';
import { checkReadQuery, type ReadQuery } from '../../../prisma/store/resourceQuery.ts';
import { transition } from '../../../prisma/store/transition.ts';
import { type Caller, userIdOf } from '../../access/caller.ts';
import type { Operation } from '../../operation.ts';
import type { Services } from '../../services.ts';
import { requireDataSchema } from './dataSchemaCheck.ts';

export const createQueue: Operation<'createQueue'> = async ({ caller, query, body, resourceId, services }) => {
  const { database } = services;
  const { projectId, ...read } = query;
  checkReadQuery(QUEUE, read);
  await requireDataSchema(services, caller, body.dataSchema);
  const made = await insertQueue(database, caller.workspaceId, {
    ...body,
    id: resourceId,
    projectId,
    description: body.description ?? null,
    dataSchema: (body.dataSchema ?? null) as JsonObject | null,
    createdByUserId: userIdOf(caller),
  });
  if (!made) throw notFound(PROJECT);
  return readResource(database, caller, QUEUE, resourceId, { query: read });
};

interface QueueRequest {
  caller: Caller;
  params: { queueId: string };
  query: ReadQuery;
  services: Services;
}

export const activateQueue: Operation<'activateQueue'> = (request) => setActive(request, true);

export const deactivateQueue: Operation<'deactivateQueue'> = (request) => setActive(request, false);

async function setActive({ caller, params, query, services }: QueueRequest, active: boolean): Promise<unknown> {
  const set = [Prisma.sql`is_active = ${active}::boolean`];
  const move = { state: Prisma.sql`t.is_active`, from: [String(!active)], set };
  const { item } = await transition(services.database, caller, QUEUE, params.queueId, move, { query });
  return item;
}

export const restoreQueue: Operation<'restoreQueue'> = async ({ caller, params, query, services }) => {
  const move = { state: Prisma.sql`t.deleted_at IS NOT NULL`, from: ['true'], set: [Prisma.sql`deleted_at = NULL`] };
  const options = { query: { ...query, includeType: 'deleted' } };
  const restorable = { ...QUEUE, frozen: [] };
  const { item } = await transition(services.database, caller, restorable, params.queueId, move, options);
  return item;
};

export const getQueueStats: Operation<'getQueueStats'> = ({ caller, params, services }) =>
  readStats(services.database, caller, params.queueId, 'queue');

export const getQueueItemStats: Operation<'getQueueItemStats'> = ({ caller, params, services }) =>
  readStats(services.database, caller, params.queueId, 'items');
