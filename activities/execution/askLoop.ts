import type { AskLoopCall, LoopAnswer } from '../../domain/execution/activityCalls.ts';
import { iterationKey } from '../../domain/execution/iteration.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import type { CompiledValue } from '../../domain/expression/compiledValue.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import { ownMember } from '../../domain/ownMember.ts';
import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import { ExecutionGone } from '../../engine/executions/executionGone.ts';
import { expressionScope } from '../../engine/executions/expressionScope.ts';
import { readRunContext } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';
import { atBegin } from './atBegin.ts';
import { continueWith, type Evaluates, evaluate } from './resolvedInputs.ts';

export type AskedLoop = { go: boolean } | { failure: Failure };

export interface AskedIteration {
  workspaceId: string;
  compiled: CompiledNode;
  index: number;
  limit: number;
}

/**
 * Returns whether a repeat continues with the iteration `index`: evaluates `until` after each iteration and `while`
 * before each. `around` returns the scope of an iteration, with the steps of the previous one, if any. Returns a
 * promise only if a condition takes more than some milliseconds.
 */
export function answerLoop(
  services: Evaluates,
  asked: AskedIteration,
  around: (index: number) => Scope,
): AskedLoop | Promise<AskedLoop> {
  const { compiled, index } = asked;
  const { until } = compiled.repeat ?? {};
  if (index === 0 || until === undefined) return answerBefore(services, asked, around);
  return continueWith(
    evaluate(() => continues(services, asked, 'until', until, around(index - 1))),
    (ended) => {
      if (!ended.ok) return { failure: ended.failure };
      return ended.value ? { go: false } : answerBefore(services, asked, around);
    },
  );
}

function answerBefore(
  services: Evaluates,
  asked: AskedIteration,
  around: (index: number) => Scope,
): AskedLoop | Promise<AskedLoop> {
  const { compiled, index } = asked;
  const before = compiled.repeat?.while;
  if (before === undefined) return withinLimit(asked);
  return continueWith(
    evaluate(() => continues(services, asked, 'while', before, around(index))),
    (holds) => {
      if (!holds.ok) return { failure: holds.failure };
      return holds.value ? withinLimit(asked) : { go: false };
    },
  );
}

function continues(
  { evaluation }: Evaluates,
  { workspaceId, compiled }: AskedIteration,
  which: 'while' | 'until',
  condition: CompiledValue,
  scope: Scope,
): boolean | Promise<boolean> {
  return evaluation.continues(workspaceId, { compiled, which, condition }, scope);
}

function withinLimit({ compiled: { repeat }, index, limit }: AskedIteration): AskedLoop {
  if (index < limit) return { go: true };
  if (!repeat?.while && !repeat?.until) return { go: false };
  const message = `After ${limit} iterations the loop has not come to its end (maximumIterations)`;
  return { failure: { code: 'TOO_MANY_ITERATIONS', message, retryable: false } };
}

export async function askLoop(services: ActivityServices, call: AskLoopCall): Promise<LoopAnswer> {
  const definition = await services.definitions.get(call);
  const answer = await answerAt(services, definition, call);
  if ('failure' in answer) return 'failed';
  return answer.go ? 'go' : 'end';
}

export async function answerAt(
  services: ActivityServices,
  definition: CompiledDefinition,
  call: AskLoopCall,
): Promise<AskedLoop> {
  const { nodeId, index, limit } = call;
  const compiled = definition.nodes.get(nodeId);
  if (!compiled) throw new Error(`The definition has no node ${nodeId}`);
  // Its conditions use the steps of the iteration before them.
  const seen = iterationKey(call.iteration ?? '', nodeId, Math.max(index - 1, 0));
  const scope = await scopeAround(services, definition, compiled, call, seen);
  const { workspaceId } = call;
  return answerLoop(services, { workspaceId, compiled, index, limit }, (at) => withIndex(scope, nodeId, at));
}

async function scopeAround(
  services: ActivityServices,
  definition: CompiledDefinition,
  compiled: CompiledNode,
  call: AskLoopCall,
  iteration: string,
): Promise<Scope> {
  const { repeat } = compiled;
  const all = [repeat?.while?.references, repeat?.until?.references].filter((one) => one !== undefined);
  const named = new Set(all.flatMap((one) => [...one.steps]));
  // Its own row contains the time at which it began.
  if (compiled.now) named.add(compiled.node.id);
  const steps = all.some((one) => one.allSteps) ? 'all' : [...named];
  const { workspaceId, executionId, iteration: parent = '' } = call;
  const context = await readRunContext(services.database, workspaceId, executionId, { steps, iteration, loops: true });
  if (!context) throw new ExecutionGone(`execution ${executionId}`);
  const scope = expressionScope(services, definition, { ...call, iteration }, context);
  const { lineageId } = context;
  const begun = ownMember(context.steps, compiled.node.id)?.startedAt;
  const step = { workspaceId, executionId, iteration: parent, lineageId };
  return atBegin(services, compiled, step, scope, { begun, startedAt: new Date() });
}

function withIndex(scope: Scope, loopId: string, index: number): Scope {
  const loop = { ...scope.loop, index };
  return { ...scope, loop, loops: { ...scope.loops, [loopId]: loop } };
}
