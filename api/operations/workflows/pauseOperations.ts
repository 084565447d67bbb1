import { type PauseState, setPaused } from '../../../prisma/store/workflow/setPaused.ts';
import type { Caller } from '../../access/caller.ts';
import type { Operation } from '../../operation.ts';
import type { Services } from '../../services.ts';

export const pauseWorkflow: Operation<'pauseWorkflow'> = ({ caller, params, services }) =>
  setState(services, caller, params.workflowId, true);

export const resumeWorkflow: Operation<'resumeWorkflow'> = async ({ caller, params, services }) => {
  const state = await setState(services, caller, params.workflowId, false);
  services.releaser.releaseBehind(caller.workspaceId, state.id);
  return state;
};

async function setState(services: Services, caller: Caller, workflowId: string, paused: boolean): Promise<PauseState> {
  const state = await setPaused(services.database, caller, workflowId, paused);
  await services.schedules.sync(caller.workspaceId, workflowId);
  return state;
}
