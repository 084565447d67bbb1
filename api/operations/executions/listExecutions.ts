import { EXECUTION } from '../../../prisma/store/execution/resource.ts';
import { listResource } from '../../../prisma/store/listResource.ts';
import { type Operation, Page } from '../../operation.ts';

export const listExecutions: Operation<'listExecutions'> = async ({ caller, query, services }) => {
  const { items, nextCursor } = await listResource(services.database, caller.workspaceId, EXECUTION, query);
  return new Page(items, nextCursor);
};
