import { notFound } from '../../../prisma/store/readResource.ts';
import { isUuid } from '../../../prisma/store/resource.ts';
import { WORKFLOW } from '../../../prisma/store/workflow/resource.ts';
import { type PauseState, setPaused } from '../../../prisma/store/workflow/setPaused.ts';
import type { Operation } from '../../operation.ts';
import type { Services } from '../../services.ts';

export const pauseWorkflow: Operation<'pauseWorkflow'> = ({ caller, params, services }) =>
  setState(services, caller.workspaceId, params.workflowId, true);

export const resumeWorkflow: Operation<'resumeWorkflow'> = async ({ caller, params, services }) => {
  const state = await setState(services, caller.workspaceId, params.workflowId, false);
  services.releaser.releaseBehind(caller.workspaceId, state.id);
  return state;
};

/** The workflow's clock, a schedule or a poll, stops and goes on with it. */
async function setState(
  services: Services,
  workspaceId: string,
  workflowId: string,
  paused: boolean,
): Promise<PauseState> {
  const state = isUuid(workflowId) ? await setPaused(services.database, workspaceId, workflowId, paused) : undefined;
  if (!state) throw notFound(WORKFLOW);
  await services.schedules.sync(workspaceId, workflowId);
  return state;
}
