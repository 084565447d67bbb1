import type { Json } from '../../../domain/json.ts';
import { notFound, readResource } from '../../../prisma/store/readResource.ts';
import { isUuid } from '../../../prisma/store/resource.ts';
import { checkExpansion } from '../../../prisma/store/resourceQuery.ts';
import { VARIABLE } from '../../../prisma/store/variable/resource.ts';
import { updateVariable as update } from '../../../prisma/store/variable/updateVariable.ts';
import type { Operation } from '../../operation.ts';
import { nameTaken } from './nameTaken.ts';

/** What the body does not name stays as it is. */
export const updateVariable: Operation<'updateVariable'> = async ({ caller, params, query, body, services }) => {
  const { database } = services;
  const { name, value, description } = body;
  checkExpansion(VARIABLE, query.expansion);
  if (!isUuid(params.variableId)) throw notFound(VARIABLE);
  const outcome = await update(database, caller.workspaceId, params.variableId, {
    ...(name === undefined ? {} : { name }),
    ...(value === undefined ? {} : { value: value as Json }),
    ...(description === undefined ? {} : { description }),
  });
  if (outcome === 'unknown') throw notFound(VARIABLE);
  if (outcome === 'nameTaken') throw nameTaken();
  return readResource(database, caller.workspaceId, VARIABLE, params.variableId, query.expansion);
};
