import { CancellationScope } from '@temporalio/workflow';
import type { PlanCall } from '../domain/execution/activityCalls.ts';
import type { Plan } from '../domain/workflow/plan.ts';
import { local } from './localActivities.ts';

/**
 * The plan of a workflow that another one has started: from the cache that regions use, so that the starter's history
 * holds ids alone. It is loaded even if the workflow is cancelled, because its row has to show the end.
 */
export function ownPlan({ workspaceId, executionId, versionId, loopId }: PlanCall): Promise<Plan> {
  const of = { workspaceId, executionId, ...(versionId === undefined ? {} : { versionId }) };
  return CancellationScope.nonCancellable(() =>
    local('Loads the plan').loadPlan({ ...of, ...(loopId === undefined ? {} : { loopId }) }),
  );
}
