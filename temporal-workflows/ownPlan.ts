import { CancellationScope } from '@temporalio/workflow';
import type { PlanCall } from '../domain/execution/activityCalls.ts';
import type { Plan } from '../domain/workflow/plan.ts';
import { local } from './localActivities.ts';

/**
 * Loads the plan from the regions' cache, so that the starter's history contains only ids. Not cancellable, because the
 * row has to show the end.
 */
export function ownPlan({ workspaceId, executionId, versionId, loopId }: PlanCall): Promise<Plan> {
  const of = { workspaceId, executionId, ...(versionId === undefined ? {} : { versionId }) };
  return CancellationScope.nonCancellable(() =>
    local('Loads the plan').loadPlan({ ...of, ...(loopId === undefined ? {} : { loopId }) }),
  );
}
