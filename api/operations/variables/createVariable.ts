import type { Json } from '../../../domain/json.ts';
import { PROJECT } from '../../../prisma/store/project/resource.ts';
import { notFound, readResource } from '../../../prisma/store/readResource.ts';
import { checkReadQuery } from '../../../prisma/store/resourceQuery.ts';
import { VARIABLE } from '../../../prisma/store/variable/resource.ts';
import { insertVariable } from '../../../prisma/store/variable/variables.ts';
import type { Operation } from '../../operation.ts';
import { requireValue, sealedValue } from './sealedValue.ts';

export const createVariable: Operation<'createVariable'> = async ({ caller, query, body, resourceId, services }) => {
  const { database, vault } = services;
  const { workspaceId } = caller;
  const { name, value, description, projectId, isSecret = false } = body;
  checkReadQuery(VARIABLE, query);
  requireValue(value as Json, isSecret);
  const outcome = await insertVariable(database, workspaceId, {
    id: resourceId,
    projectId: projectId ?? null,
    name,
    description: description ?? null,
    stored: sealedValue(vault, { workspaceId, variableId: resourceId }, value as Json, isSecret),
  });
  if (outcome === 'projectUnknown') throw notFound(PROJECT);
  return readResource(database, caller, VARIABLE, resourceId, { query });
};
