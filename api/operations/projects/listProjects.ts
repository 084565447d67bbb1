import { listResource } from '../../../prisma/store/listResource.ts';
import { PROJECT } from '../../../prisma/store/project/resource.ts';
import { type Operation, Page } from '../../operation.ts';

export const listProjects: Operation<'listProjects'> = async ({ caller, query, services }) => {
  const { items, nextCursor } = await listResource(services.database, caller.workspaceId, PROJECT, query);
  return new Page(items, nextCursor);
};
