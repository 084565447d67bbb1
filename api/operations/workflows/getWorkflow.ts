import { readResource } from '../../../prisma/store/readResource.ts';
import { WORKFLOW } from '../../../prisma/store/workflow/resource.ts';
import type { Operation } from '../../operation.ts';
import { withNextScheduled } from './nextScheduled.ts';

export const getWorkflow: Operation<'getWorkflow'> = async ({ caller, params, query, services }) => {
  const row = await readResource(services.database, caller.workspaceId, WORKFLOW, params.workflowId, query.expansion);
  const [workflow = row] = await withNextScheduled(services, [row]);
  return workflow;
};
