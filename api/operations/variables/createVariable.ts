import type { Json } from '../../../domain/json.ts';
import { PROJECT } from '../../../prisma/store/project/resource.ts';
import { notFound, readResource } from '../../../prisma/store/readResource.ts';
import { checkReadQuery } from '../../../prisma/store/resourceQuery.ts';
import { VARIABLE } from '../../../prisma/store/variable/resource.ts';
import { insertVariable } from '../../../prisma/store/variable/variables.ts';
import type { Operation } from '../../operation.ts';

export const createVariable: Operation<'createVariable'> = async ({ caller, query, body, resourceId, services }) => {
  const { database } = services;
  const { name, value, description, projectId } = body;
  checkReadQuery(VARIABLE, query);
  const outcome = await insertVariable(database, caller.workspaceId, {
    id: resourceId,
    projectId: projectId ?? null,
    name,
    value: value as Json,
    description: description ?? null,
  });
  if (outcome === 'projectUnknown') throw notFound(PROJECT);
  return readResource(database, caller, VARIABLE, resourceId, { query });
};
