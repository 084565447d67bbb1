import { listResource } from '../../../prisma/store/listResource.ts';
import { VARIABLE } from '../../../prisma/store/variable/resource.ts';
import { type Operation, Page } from '../../operation.ts';

export const listVariables: Operation<'listVariables'> = async ({ caller, query, services }) => {
  const { items, nextCursor } = await listResource(services.database, caller.workspaceId, VARIABLE, query);
  return new Page(items, nextCursor);
};
