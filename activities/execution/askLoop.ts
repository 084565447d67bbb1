import type { AskLoopCall, LoopAnswer, ScopeRef } from '../../domain/execution/activityCalls.ts';
import { iterationKey } from '../../domain/execution/iteration.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import { readRunContext } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';
import { expressionScope } from './expressionScope.ts';
import { type Answer, answerLoop } from './loopAnswer.ts';

/** Whether a repeat whose iterations the workflow runs goes on. */
export async function askLoop(services: ActivityServices, call: AskLoopCall): Promise<LoopAnswer> {
  const definition = await services.definitions.get(call);
  const answer = await answerAt(services, definition, call);
  if ('failure' in answer) return 'failed';
  return answer.go ? 'go' : 'end';
}

/** The answer before an iteration. */
export async function answerAt(
  services: ActivityServices,
  definition: CompiledDefinition,
  call: AskLoopCall,
): Promise<Answer> {
  const { nodeId, index, limit } = call;
  const compiled = definition.nodes.get(nodeId);
  if (!compiled) throw new Error(`The definition has no node ${nodeId}`);
  // Its conditions see the steps of the iteration before them.
  const seen = iterationKey(call.iteration ?? '', nodeId, Math.max(index - 1, 0));
  const scope = await scopeAround(services, compiled, { ...call, iteration: seen });
  return answerLoop(compiled, index, limit, (at) => withIndex(scope, nodeId, at));
}

async function scopeAround(services: ActivityServices, compiled: CompiledNode, ref: ScopeRef): Promise<Scope> {
  const { repeat } = compiled;
  const all = [repeat?.while?.references, repeat?.until?.references].filter((one) => one !== undefined);
  const steps = all.some((one) => one.allSteps) ? 'all' : [...new Set(all.flatMap((one) => [...one.steps]))];
  const { workspaceId, executionId, iteration } = ref;
  const context = await readRunContext(services.database, workspaceId, executionId, { steps, iteration, loops: true });
  if (!context) throw new Error(`Execution ${executionId} has no row`);
  return expressionScope(ref, context);
}

/** The scope with `loop` at another iteration. */
export function withIndex(scope: Scope, loopId: string, index: number): Scope {
  const loop = { ...scope.loop, index };
  return { ...scope, loop, loops: { ...scope.loops, [loopId]: loop } };
}
