import { notFound } from '../../../prisma/store/readResource.ts';
import { isUuid } from '../../../prisma/store/resource.ts';
import { deleteVariable as remove } from '../../../prisma/store/variable/deleteVariable.ts';
import { VARIABLE } from '../../../prisma/store/variable/resource.ts';
import type { Operation } from '../../operation.ts';

export const deleteVariable: Operation<'deleteVariable'> = async ({ caller, params, services }) => {
  const { variableId } = params;
  if (!isUuid(variableId) || !(await remove(services.database, caller.workspaceId, variableId))) {
    throw notFound(VARIABLE);
  }
  return true;
};
