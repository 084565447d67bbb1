import { WORKFLOW } from '../../../prisma/store/workflow/resource.ts';
import { deleteOf } from '../../resources/deleteOf.ts';

/** Nothing starts it any more; its open executions go on, those that are held as its limit lets them. */
export const deleteWorkflow = deleteOf(WORKFLOW, {
  answers: 'confirmation',
  async after({ caller, services }, workflowId) {
    services.releaser.releaseBehind(caller.workspaceId, workflowId);
    await services.schedules.sync(caller.workspaceId, workflowId);
  },
});
