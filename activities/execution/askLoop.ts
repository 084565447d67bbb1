import type { AskLoopCall, LoopAnswer, ScopeRef } from '../../domain/execution/activityCalls.ts';
import { iterationKey } from '../../domain/execution/iteration.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import { decideGoingOn } from '../../domain/workflow/control.ts';
import { readRunContext } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';
import { expressionScope } from './expressionScope.ts';
import { evaluate } from './resolvedInputs.ts';

export type AskedLoop = { go: boolean } | { failure: Failure };

/**
 * Whether a repeat goes on with the iteration `index`: `until` is asked after each, `while` before each. `around`
 * gives the scope of an iteration, with the steps of the one before it, where there was one.
 */
export function answerLoop(
  compiled: CompiledNode,
  index: number,
  limit: number,
  around: (index: number) => Scope,
): AskedLoop {
  const { repeat } = compiled;
  if (index > 0 && repeat?.until) {
    const { until } = repeat;
    const ended = evaluate(() => decideGoingOn(until, 'until', compiled.node.inputs?.until, around(index - 1)));
    if (!ended.ok) return { failure: ended.failure };
    if (ended.value) return { go: false };
  }
  if (repeat?.while) {
    const before = repeat.while;
    const goesOn = evaluate(() => decideGoingOn(before, 'while', compiled.node.inputs?.while, around(index)));
    if (!goesOn.ok) return { failure: goesOn.failure };
    if (!goesOn.value) return { go: false };
  }
  if (index < limit) return { go: true };
  if (!repeat?.while && !repeat?.until) return { go: false };
  const message = `After ${limit} iterations the loop has not come to its end (maximumIterations)`;
  return { failure: { code: 'TOO_MANY_ITERATIONS', message, retryable: false } };
}

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
): Promise<AskedLoop> {
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
