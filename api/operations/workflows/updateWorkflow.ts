import { need } from '../../../domain/access/stepPermissions.ts';
import { placed } from '../../../domain/place.ts';
import { Problem } from '../../../domain/problem.ts';
import { MANAGED_BY_CODE, WORKFLOW } from '../../../prisma/store/workflow/resource.ts';
import { requireNeeds } from '../../access/requireNeeds.ts';
import { type PatchRequest, patchOf } from '../../resources/patchOf.ts';
import { failureWorkflowProblems } from './failureWorkflowProblems.ts';
import { withNextScheduled } from './nextScheduled.ts';

/** Sets the settings outside the definition, with the effects of an upsert; the version stays. */
export const updateWorkflow = patchOf(WORKFLOW, {
  shown: withNextScheduled,
  before: checkFailureWorkflow,
  frozen: (change) => (Object.keys(change).some((member) => member !== 'isActive') ? [MANAGED_BY_CODE] : []),
  async after({ caller, body = {}, params, services }) {
    const workflowId = idIn(params);
    if ('maxConcurrent' in body) services.releaser.releaseBehind(caller.workspaceId, workflowId);
    await services.schedules.sync(caller.workspaceId, workflowId);
  },
});

async function checkFailureWorkflow({ caller, body = {}, params, services }: PatchRequest): Promise<void> {
  const { onFailureWorkflowId: id } = body as { onFailureWorkflowId?: string | null };
  if (id == null) return;
  requireNeeds(caller, [need('executions:run', 'onFailureWorkflowId', 'starting another workflow')]);
  const errors = await failureWorkflowProblems(services, { workspaceId: caller.workspaceId, id: idIn(params) }, id);
  if (errors.length > 0) throw new Problem('VALIDATION_FAILED', errors.map(placed).join('; '), { errors });
}

function idIn(params: object): string {
  return (params as { workflowId: string }).workflowId;
}
