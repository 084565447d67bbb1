import { executionResource } from '../../../prisma/store/execution/resource.ts';
import { listResource } from '../../../prisma/store/listResource.ts';
import { readLimitsOf } from '../../executions/readLimitsOf.ts';
import { type Operation, Page } from '../../operation.ts';

export const listExecutions: Operation<'listExecutions'> = async ({ caller, query, services }) => {
  const resource = executionResource(readLimitsOf(services.config));
  const { items, nextCursor } = await listResource(services.database, caller.workspaceId, resource, query);
  return new Page(items, nextCursor);
};
