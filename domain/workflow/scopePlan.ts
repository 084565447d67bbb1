import { iterationParts } from '../execution/iteration.ts';
import type { Plan } from './plan.ts';

const scopes = new WeakMap<Plan, Map<string | undefined, Plan>>();

/** Returns the plan of one scope: the nodes inside a loop, or at the top level, and the edges among them. */
export function scopePlan(plan: Plan, loopId: string | undefined): Plan {
  const known = scopes.get(plan) ?? new Map<string | undefined, Plan>();
  scopes.set(plan, known);
  let scope = known.get(loopId);
  if (!scope) {
    scope = plan.nodes.every(({ parentId }) => parentId === loopId)
      ? plan
      : only(plan, (parentId) => parentId === loopId);
    known.set(loopId, scope);
  }
  return scope;
}

export function iterationPlan(plan: Plan, iteration = ''): Plan {
  return scopePlan(plan, iterationParts(iteration).at(-1)?.loopId);
}

export function loopPlan(plan: Plan, loopId: string): Plan {
  const inside = new Set([loopId]);
  for (let size = 0; size < inside.size; ) {
    size = inside.size;
    for (const { id, parentId } of plan.nodes) if (parentId !== undefined && inside.has(parentId)) inside.add(id);
  }
  const { nodes, edges } = only(plan, (parentId) => parentId !== undefined && inside.has(parentId));
  return { nodes: [...plan.nodes.filter(({ id }) => id === loopId), ...nodes], edges };
}

function only(plan: Plan, isIn: (parentId: string | undefined) => boolean): Plan {
  const nodes = plan.nodes.filter(({ parentId }) => isIn(parentId));
  const ids = new Set(nodes.map(({ id }) => id));
  return { nodes, edges: plan.edges.filter(({ to }) => ids.has(to)) };
}
