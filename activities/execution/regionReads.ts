import type { RegionCall } from '../../domain/execution/activityCalls.ts';
import { NO_REFERENCES, unionOfReferences } from '../../domain/expression/references.ts';
import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import { isLoop } from '../../domain/workflow/definition.ts';
import type { Plan } from '../../domain/workflow/plan.ts';
import { successors } from '../../domain/workflow/planIndex.ts';
import { contextFor } from '../../engine/executions/expressionScope.ts';
import { type Answered, expirePendingInput, readPendingInputs } from '../../prisma/store/execution/pendingInput.ts';
import { type RunContext, readRunContext } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';
import { insideLoop } from './loopContexts.ts';

/** Reads the values that the reachable nodes of a region use. `plan` is that of the region's scope. */
export function readFor(
  { database }: ActivityServices,
  call: RegionCall,
  definition: CompiledDefinition,
  plan: Plan,
): Promise<RunContext | undefined> {
  const { workspaceId, executionId, iteration, sole } = call;
  const nodes = inlineClosure(definition, plan, call);
  const reads = contextFor(definition, nodes, { iteration, forOutput: sole && iteration === undefined });
  return readRunContext(database, workspaceId, executionId, reads);
}

/** Reads the answers to expired questions among the start nodes, and closes each question that has none. */
export async function readAnswers({ database }: ActivityServices, call: RegionCall): Promise<Map<string, Answered>> {
  const { workspaceId, executionId, iteration = '' } = call;
  const nodes = call.start.filter(({ cause }) => cause === 'expired');
  for (const { nodeId } of nodes) await expirePendingInput(database, workspaceId, executionId, nodeId, iteration);
  if (nodes.length === 0) return new Map();
  const nodeIds = nodes.map(({ nodeId }) => nodeId);
  return readPendingInputs(database, workspaceId, executionId, nodeIds, iteration);
}

/** Returns the inline nodes that the start nodes reach through inline nodes, and the nodes inside loops among them. */
function inlineClosure(definition: CompiledDefinition, plan: Plan, { start }: RegionCall): CompiledNode[] {
  const inline = new Set(plan.nodes.filter((node) => node.placement === 'inline').map((node) => node.id));
  const found = new Map<string, CompiledNode>();
  const pending = start.map(({ nodeId }) => nodeId);
  for (let nodeId = pending.pop(); nodeId !== undefined; nodeId = pending.pop()) {
    const node = definition.nodes.get(nodeId);
    if (!node || found.has(nodeId)) continue;
    found.set(nodeId, node);
    pending.push(...successors(plan, nodeId).filter((next) => inline.has(next)));
  }
  const resumed = new Set(start.flatMap(({ nodeId, cause }) => (cause === 'iterate' ? [nodeId] : [])));
  return [...found.values()].flatMap((compiled) => {
    const { id, type } = compiled.node;
    if (!isLoop(type)) return [compiled];
    // A begun loop has its items already: their sources, which may be large, are not read again.
    const inputs = resumed.has(id) ? NO_REFERENCES : compiled.references;
    const conditions = [compiled.repeat?.while, compiled.repeat?.until].flatMap((one) => (one ? [one.references] : []));
    return [{ ...compiled, references: unionOfReferences([inputs, ...conditions]) }, ...insideLoop(definition, id)];
  });
}
