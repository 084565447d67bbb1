import type { PlanCall } from '../../domain/execution/activityCalls.ts';
import type { Plan } from '../../domain/workflow/plan.ts';
import { loopPlan } from '../../domain/workflow/scopePlan.ts';
import type { ActivityServices } from '../services.ts';

export async function loadPlan({ definitions }: ActivityServices, { loopId, ...ref }: PlanCall): Promise<Plan> {
  const { plan } = await definitions.get(ref);
  return loopId === undefined ? plan : loopPlan(plan, loopId);
}
