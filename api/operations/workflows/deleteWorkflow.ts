import { WORKFLOW } from '../../../prisma/store/workflow/resource.ts';
import { deleteOf } from '../../resources/deleteOf.ts';

/** Prevents new starts; open executions continue, and held ones are released by its limit. */
export const deleteWorkflow = deleteOf(WORKFLOW, {
  answers: 'confirmation',
  async after({ caller, services }, workflowId) {
    services.releaser.releaseBehind(caller.workspaceId, workflowId);
    await services.schedules.sync(caller.workspaceId, workflowId);
  },
});
