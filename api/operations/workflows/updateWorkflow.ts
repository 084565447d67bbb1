import { need } from '../../../domain/access/stepPermissions.ts';
import type { ExposeAsTool } from '../../../domain/mcp/exposeAsTool.ts';
import { placed } from '../../../domain/place.ts';
import { Problem } from '../../../domain/problem.ts';
import { readWorkflowExposure } from '../../../prisma/store/mcp/exposedTools.ts';
import { MANAGED_BY_CODE, WORKFLOW } from '../../../prisma/store/workflow/resource.ts';
import { requireNeeds } from '../../access/requireNeeds.ts';
import { exposureProblems } from '../../mcp/exposureProblems.ts';
import { type PatchRequest, patchOf } from '../../resources/patchOf.ts';
import { failureWorkflowProblems } from './failureWorkflowProblems.ts';
import { withNextScheduled } from './nextScheduled.ts';

/** Sets the settings outside the definition, with the effects of an upsert; the version stays. */
export const updateWorkflow = patchOf(WORKFLOW, {
  shown: withNextScheduled,
  async before(request) {
    await checkFailureWorkflow(request);
    await checkExposure(request);
  },
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

async function checkExposure({ caller, body = {}, params, services }: PatchRequest): Promise<void> {
  const { exposeAsTool } = body as { exposeAsTool?: ExposeAsTool | null };
  const stored = exposeAsTool && (await readWorkflowExposure(services.database, caller.workspaceId, idIn(params)));
  if (!stored) return;
  const trigger = stored.triggerType === null ? undefined : { type: stored.triggerType };
  const tool = { kind: 'workflow', slug: stored.slug, exposeAsTool, trigger } as const;
  const errors = await exposureProblems(services, caller, stored.projectId, [tool]);
  if (errors.length > 0) throw new Problem('VALIDATION_FAILED', errors.map(placed).join('; '), { errors });
}

function idIn(params: object): string {
  return (params as { workflowId: string }).workflowId;
}
