import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import { loopPlan } from '../../domain/workflow/scopePlan.ts';

/** All that stands inside a loop, also in loops inside it. */
export function insideLoop(definition: CompiledDefinition, loopId: string): CompiledNode[] {
  return loopPlan(definition.plan, loopId).nodes.flatMap(({ id }) =>
    id === loopId ? [] : (definition.nodes.get(id) ?? []),
  );
}
