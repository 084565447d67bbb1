import type { ExecutionRef } from '../../domain/execution/activityCalls.ts';
import { type Ending, planNode } from '../../domain/execution/progress.ts';
import type { Closing } from '../../domain/execution/stepRecord.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import { isJsonObject, type Json } from '../../domain/json.ts';
import { storableText } from '../../domain/storableJson.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import { readRunContext, type StepSelection } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';
import { expressionScope } from './expressionScope.ts';
import { evaluate } from './resolvedInputs.ts';
import { outputProblem } from './stepSettlement.ts';

/** The end of the row, with a read of the steps that `scope` lacks. */
export async function closeWith(
  services: ActivityServices,
  ref: ExecutionRef,
  definition: CompiledDefinition,
  ending: Ending,
  scope: Scope,
): Promise<Closing> {
  // A stop node inside a loop stands in its iteration.
  const iteration = 'nodeId' in ending ? ending.iteration : undefined;
  const known = await withSteps(services, { ...ref, iteration }, stepsForClosing(definition, ending), scope);
  return closingOf(definition, ending, known, services.config.MAX_OUTPUT_BYTES);
}

/** The scope with these steps: those that it lacks are read. */
export async function withSteps(
  { database }: ActivityServices,
  ref: ExecutionRef & { iteration?: string | undefined },
  needed: StepSelection,
  scope: Scope,
): Promise<Scope> {
  if (needed !== 'all' && needed.every((nodeId) => scope.steps[nodeId] !== undefined)) return scope;
  const { workspaceId, executionId, iteration } = ref;
  const context = await readRunContext(database, workspaceId, executionId, { steps: needed, iteration });
  if (!context) return scope;
  return { ...scope, steps: { ...expressionScope({ ...ref, iteration: '' }, context).steps, ...scope.steps } };
}

/** Steps whose outputs the end needs: `all`, or by node id. */
function stepsForClosing(definition: CompiledDefinition, ending: Ending): readonly string[] | 'all' {
  if ('nodeId' in ending) return [ending.nodeId];
  if (!definition.output) return ending.endNodes;
  return definition.output.references.allSteps ? 'all' : [...definition.output.references.steps];
}

/** The end of the row: status, message and output (decisions.md 7, "Output of a workflow"). */
function closingOf(definition: CompiledDefinition, ending: Ending, scope: Scope, maxOutputBytes: number): Closing {
  if (!('nodeId' in ending)) return completed(definition, ending.endNodes, scope, maxOutputBytes);
  const step = scope.steps[ending.nodeId];
  if (!ending.stop) return { status: 'FAILED', statusMessage: failureMessage(definition, ending.nodeId, step) };
  const stopped = isJsonObject(step?.output) ? step.output : {};
  return {
    status: ending.status,
    ...(stopped.message == null ? {} : { statusMessage: String(stopped.message) }),
    output: stopped.output ?? null,
  };
}

export function failureMessage(
  definition: CompiledDefinition,
  nodeId: string,
  step: Scope['steps'][string] | undefined,
): string {
  const label = planNode(definition.plan, nodeId).label;
  return step?.error ? `${label}: ${step.error.message}` : `${label} failed`;
}

function completed(definition: CompiledDefinition, endNodes: string[], scope: Scope, maxOutputBytes: number): Closing {
  const { output } = definition;
  if (!output) return { status: 'COMPLETED', output: outputOf(endNodes, scope) };
  const evaluated = evaluate(() => output.evaluate(scope));
  if (!evaluated.ok) return { status: 'FAILED', statusMessage: `Output: ${storableText(evaluated.failure.message)}` };
  const problem = outputProblem(evaluated.value, maxOutputBytes);
  if (problem) return { status: 'FAILED', statusMessage: `Output: ${problem.message}` };
  return { status: 'COMPLETED', output: evaluated.value };
}

/** The one last node's output, or an object of them by node id where several branches ended. */
export function outputOf(endNodes: string[], scope: Scope): Json {
  const outputs = endNodes.map((nodeId): [string, Json] => [nodeId, scope.steps[nodeId]?.output ?? null]);
  const [only] = outputs;
  return outputs.length === 1 && only ? only[1] : outputs.length === 0 ? null : Object.fromEntries(outputs);
}
