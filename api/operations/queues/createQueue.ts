import { PROJECT } from '../../../prisma/store/project/resource.ts';
import { insertQueue } from '../../../prisma/store/queue/insertQueue.ts';
import { QUEUE } from '../../../prisma/store/queue/resource.ts';
import { notFound, readResource } from '../../../prisma/store/readResource.ts';
import { checkReadQuery } from '../../../prisma/store/resourceQuery.ts';
import type { Operation } from '../../operation.ts';

export const createQueue: Operation<'createQueue'> = async ({ caller, query, body, resourceId, services }) => {
  const { database } = services;
  const { projectId, ...read } = query;
  checkReadQuery(QUEUE, read);
  const made = await insertQueue(database, caller.workspaceId, {
    ...body,
    id: resourceId,
    projectId,
    description: body.description ?? null,
    createdByUserId: caller.kind === 'user' ? caller.userId : null,
  });
  if (!made) throw notFound(PROJECT);
  return readResource(database, caller, QUEUE, resourceId, { query: read });
};
