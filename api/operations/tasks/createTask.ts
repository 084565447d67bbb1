import { AGENT } from '../../../prisma/store/agent/resource.ts';
import { notFound, readResource } from '../../../prisma/store/readResource.ts';
import { checkReadQuery } from '../../../prisma/store/resourceQuery.ts';
import { createTask as store } from '../../../prisma/store/task/createTask.ts';
import { TASK } from '../../../prisma/store/task/resource.ts';
import type { Operation } from '../../operation.ts';
import { hideActiveStream } from './deleteTask.ts';

export const createTask: Operation<'createTask'> = async (request) => {
  const { caller, params, query, resourceId, services } = request;
  const body: Partial<typeof request.body> = request.body ?? {};
  checkReadQuery(TASK, query);
  const id = await store(services.database, caller, {
    id: resourceId,
    agentId: params.agentId,
    customIdentifier: body.customIdentifier ?? null,
    name: body.name ?? null,
    description: body.description ?? null,
  });
  if (id === undefined) throw notFound(AGENT);
  return hideActiveStream(await readResource(services.database, caller, TASK, id, { query }));
};
