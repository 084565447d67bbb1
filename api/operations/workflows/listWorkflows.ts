import { listResource } from '../../../prisma/store/listResource.ts';
import { WORKFLOW } from '../../../prisma/store/workflow/resource.ts';
import { type Operation, Page } from '../../operation.ts';
import { withNextScheduled } from './nextScheduled.ts';

export const listWorkflows: Operation<'listWorkflows'> = async ({ caller, query, services }) => {
  const { items, nextCursor } = await listResource(services.database, caller.workspaceId, WORKFLOW, query);
  return new Page(await withNextScheduled(services, items), nextCursor);
};
