import type { ScopeRef } from '../../domain/execution/activityCalls.ts';
import type { ExecutionRef } from '../../domain/execution/executionRef.ts';
import { iterationParts, loopKey } from '../../domain/execution/iteration.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import type { Ending } from '../../domain/execution/progress.ts';
import type { ExecutionEnd, IterationRecord } from '../../domain/execution/stepRecord.ts';
import { atTime } from '../../domain/expression/neededScope.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import { isJsonObject, type Json } from '../../domain/json.ts';
import { ownMember } from '../../domain/ownMember.ts';
import { storableText } from '../../domain/storableJson.ts';
import type { CompiledDefinition } from '../../domain/workflow/compile.ts';
import { planNode } from '../../domain/workflow/planIndex.ts';
import { expressionScope } from '../../engine/executions/expressionScope.ts';
import type { ProgressWrite } from '../../prisma/store/execution/progressWrite.ts';
import { readRunContext, type StepSelection } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';
import { entryBytes } from './loopOutput.ts';
import { evaluate } from './resolvedInputs.ts';
import { outputProblem } from './stepSettlement.ts';

/**
 * Returns the write of an ended scope: the execution's row, or the iteration's, after the iterations that have `ended`
 * inside it. Empty for a stop node inside a loop: the workflow first closes all open steps.
 */
export async function scopeEndWrite(
  services: ActivityServices,
  ref: ScopeRef,
  definition: CompiledDefinition,
  ending: Ending,
  scope: Scope,
  ended: IterationRecord[] = [],
): Promise<Pick<ProgressWrite, 'end' | 'iterations'>> {
  if (ref.iteration === undefined) {
    const isInside = 'iteration' in ending && ending.iteration !== undefined;
    return isInside ? {} : { end: await executionEndOf(services, ref, definition, ending, scope) };
  }
  if ('nodeId' in ending && ending.stop) return {};
  const needed = 'nodeId' in ending ? [ending.nodeId] : ending.endNodes;
  const known = await withSteps(services, definition, ref, needed, scope);
  return { iterations: [...ended, iterationRecord(ref.iteration, definition, ending, known)] };
}

/** Returns the record of an iteration that ended without a stop node; `scope` contains its last steps. */
export function iterationRecord(
  iteration: string,
  definition: CompiledDefinition,
  ending: Ending,
  scope: Scope,
): IterationRecord {
  const part = iterationParts(iteration).at(-1);
  if (!part) throw new Error('The top is no iteration');
  const at = { loopKey: loopKey(part.parent, part.loopId), index: part.index };
  if (!('nodeId' in ending)) {
    return withBytes({ ...at, status: 'COMPLETED', output: scopeOutput(ending.endNodes, scope) });
  }
  const step = ownMember(scope.steps, ending.nodeId);
  const message = failureMessage(definition, ending.nodeId, step);
  const code = step?.error?.code ?? 'UNKNOWN';
  const cause = step?.error?.cause ?? { nodeId: ending.nodeId, code };
  return withBytes({ ...at, status: 'FAILED', error: { code, message, cause } });
}

function withBytes(record: Omit<IterationRecord, 'bytes'>): IterationRecord {
  return { ...record, bytes: entryBytes(record) };
}

/** Returns the end of the execution's row, and reads the steps that `scope` lacks. */
export async function executionEndOf(
  services: ActivityServices,
  ref: ExecutionRef,
  definition: CompiledDefinition,
  ending: Ending,
  scope: Scope,
): Promise<ExecutionEnd> {
  // The step of a stop node inside a loop is in its iteration.
  const iteration = 'nodeId' in ending ? ending.iteration : undefined;
  const known = await withSteps(services, definition, { ...ref, iteration }, stepsForEnd(definition, ending), scope);
  return endFrom(services, ref.workspaceId, definition, ending, known);
}

async function withSteps(
  services: ActivityServices,
  definition: CompiledDefinition,
  ref: ExecutionRef & { iteration?: string | undefined },
  needed: StepSelection,
  scope: Scope,
): Promise<Scope> {
  const known = Object.entries(scope.steps).filter(([, step]) => step.output !== undefined);
  const ids = new Set(known.map(([nodeId]) => nodeId));
  if (needed !== 'all' && needed.every((nodeId) => ids.has(nodeId))) return scope;
  const { workspaceId, executionId, iteration } = ref;
  const context = await readRunContext(services.database, workspaceId, executionId, { steps: needed, iteration });
  if (!context) return scope;
  const { steps } = expressionScope(services, definition, { ...ref, iteration: '' }, context);
  return { ...scope, steps: { ...scope.steps, ...steps, ...Object.fromEntries(known) } };
}

/** Returns the steps whose outputs the end needs: `all`, or node ids. */
function stepsForEnd(definition: CompiledDefinition, ending: Ending): readonly string[] | 'all' {
  if ('nodeId' in ending) return [ending.nodeId];
  if (!definition.output) return ending.endNodes;
  return definition.output.references.allSteps ? 'all' : [...definition.output.references.steps];
}

function endFrom(
  services: ActivityServices,
  workspaceId: string,
  definition: CompiledDefinition,
  ending: Ending,
  scope: Scope,
): ExecutionEnd | Promise<ExecutionEnd> {
  if (!('nodeId' in ending)) return completed(services, workspaceId, definition, ending.endNodes, scope);
  const step = ownMember(scope.steps, ending.nodeId);
  if (!ending.stop) {
    const { nodeId, code } = step?.error?.cause ?? { nodeId: ending.nodeId, code: step?.error?.code ?? 'UNKNOWN' };
    const statusMessage = failureMessage(definition, ending.nodeId, step);
    return { status: 'FAILED', statusMessage, errorCode: code, failedNodeId: nodeId };
  }
  const stopped = ending.status === 'FAILED' ? { errorCode: 'STOPPED', failedNodeId: ending.nodeId } : {};
  const { message, output = null } = isJsonObject(step?.output) ? step.output : {};
  if (message != null) return { status: ending.status, statusMessage: String(message), output, ...stopped };
  if (ending.status === 'COMPLETED') return { status: ending.status, output };
  // A failure needs a message, even if the author wrote none.
  const { label } = planNode(definition.plan, ending.nodeId);
  return { status: ending.status, statusMessage: `Stopped by ${label}`, output, ...stopped };
}

function failureMessage(
  definition: CompiledDefinition,
  nodeId: string,
  step: Scope['steps'][string] | undefined,
): string {
  const label = planNode(definition.plan, nodeId).label;
  return step?.error ? `${label}: ${step.error.message}` : `${label} failed`;
}

async function completed(
  { evaluation, config }: ActivityServices,
  workspaceId: string,
  definition: CompiledDefinition,
  endNodes: string[],
  scope: Scope,
): Promise<ExecutionEnd> {
  const { output } = definition;
  if (!output) return { status: 'COMPLETED', output: scopeOutput(endNodes, scope) };
  const evaluated = await evaluate(() =>
    evaluation.value(workspaceId, output, atTime(output.references, scope, new Date())),
  );
  if (!evaluated.ok) return outputFailure(evaluated.failure);
  const problem = outputProblem(evaluated.value, config.MAX_OUTPUT_BYTES);
  if (problem) return outputFailure(problem);
  return { status: 'COMPLETED', output: evaluated.value };
}

function outputFailure({ code, message }: Failure): ExecutionEnd {
  return { status: 'FAILED', statusMessage: `Output: ${storableText(message)}`, errorCode: code };
}

/** Returns the output of the last node, or an object of outputs by node id if several branches ended. */
function scopeOutput(endNodes: string[], scope: Scope): Json {
  const outputs = endNodes.map((nodeId): [string, Json] => [nodeId, ownMember(scope.steps, nodeId)?.output ?? null]);
  const [only] = outputs;
  return outputs.length === 1 && only ? only[1] : outputs.length === 0 ? null : Object.fromEntries(outputs);
}
