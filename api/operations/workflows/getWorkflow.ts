import { readResource } from '../../../prisma/store/readResource.ts';
import { WORKFLOW } from '../../../prisma/store/workflow/resource.ts';
import type { Operation } from '../../operation.ts';

export const getWorkflow: Operation<'getWorkflow'> = ({ caller, params, query, services }) =>
  readResource(services.database, caller.workspaceId, WORKFLOW, params.workflowId, query.expansion);
