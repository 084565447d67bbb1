import type { Plan } from '../workflow/plan.ts';
import { scopePlan } from '../workflow/scopePlan.ts';
import { iterationParts } from './iteration.ts';

/** What the scope with this key interprets: the inside of its loop, or the top where there is none. */
export function iterationPlan(plan: Plan, iteration = ''): Plan {
  return scopePlan(plan, iterationParts(iteration).at(-1)?.loopId);
}
