import type { LoopScope, Scope, StepScope } from '../../../../domain/expression/scope.ts';
import { isJsonObject, type Json } from '../../../../domain/json.ts';
import { type Definition, TRIGGER_ID } from '../../../../domain/workflow/definition.ts';
import { loopsAround } from '../../../../domain/workflow/parents.ts';
import type { ExecutionStep } from '../../executions/queries/executions.ts';

export interface Sample {
  /** Empty if there are only samples of nodes. */
  executionId: string;
  trigger: Json;
  steps: SampleStep[];
  variables: Record<string, Json>;
  execution: Scope['execution'];
  /** Samples by node id; they replace the outputs of the execution. */
  outputs?: Readonly<Record<string, Json>>;
}

export type SampleStep = Pick<ExecutionStep, 'nodeId' | 'status' | 'iteration' | 'input' | 'output' | 'error'>;

/** Without an execution: the members exist but are empty. */
const NOTHING: Sample = {
  ...{ executionId: '', trigger: null, steps: [], variables: {} },
  execution: { id: '', number: 0, startedAt: '', workflowId: '', workflowName: '' },
};

/** Replaces values of the execution with samples; without an execution, only samples remain. */
export function withSamples(sample: Sample | undefined, samples: Readonly<Record<string, Json>>): Sample | undefined {
  const { [TRIGGER_ID]: trigger, ...outputs } = samples;
  if (Object.keys(samples).length === 0) return sample;
  return { ...(sample ?? NOTHING), ...(trigger === undefined ? {} : { trigger }), outputs };
}

/**
 * Returns the scope of a node in the execution; without `nodeId`, the scope at the end of the workflow.
 * Inside loops, it is the last iteration that ran the node, or else that ran any part of the loop.
 */
export function scopeOf(
  { trigger, steps, variables, execution, outputs = {} }: Sample,
  definition: Definition,
  nodeId?: string,
): Scope {
  const nodes = new Map(definition.nodes.map((node) => [node.id, node]));
  const around = nodeId === undefined ? [] : loopsAround(nodes, nodeId).reverse();
  const iteration = iterationFor(steps, around, nodeId);
  const seen: Record<string, StepScope> = {};
  for (const step of steps) {
    if (step.status !== 'COMPLETED' && step.status !== 'FAILED') continue;
    if (!isInside(step.iteration, iteration)) continue;
    seen[step.nodeId] = {
      output: (step.output ?? null) as Json,
      ...(step.error === undefined ? {} : { error: { code: step.error.code, message: step.error.message } }),
    };
  }
  for (const [id, output] of Object.entries(outputs)) seen[id] = { output };
  const scope: Scope = { trigger, steps: seen, variables, execution };
  const loops: Record<string, LoopScope> = {};
  for (const [depth, { nodeId: loopId, index, total }] of iteration.entries()) {
    const loop = steps.find((one) => one.nodeId === loopId && isSame(one.iteration, iteration.slice(0, depth)));
    const item = itemOf(loop?.input, index);
    loops[loopId] = { index, ...(total == null ? {} : { total }), ...(item === undefined ? {} : { item }) };
  }
  const inner = iteration.at(-1);
  const loop = inner === undefined ? undefined : loops[inner.nodeId];
  return loop === undefined ? scope : { ...scope, loop, loops };
}

type Iteration = ExecutionStep['iteration'];

function iterationFor(steps: readonly SampleStep[], around: readonly string[], nodeId: string | undefined): Iteration {
  if (around.length === 0) return [];
  const isThere = ({ iteration }: SampleStep) => around.every((loop, depth) => iteration[depth]?.nodeId === loop);
  const inside = steps.filter(isThere);
  const own = inside.filter((step) => step.nodeId === nodeId).at(-1) ?? inside.at(-1);
  return (own?.iteration ?? []).slice(0, around.length);
}

function isInside(outer: Iteration, iteration: Iteration): boolean {
  return outer.length <= iteration.length && isSame(outer, iteration.slice(0, outer.length));
}

function isSame(one: Iteration, other: Iteration): boolean {
  return (
    one.length === other.length &&
    one.every(({ nodeId, index }, at) => other[at]?.nodeId === nodeId && other[at]?.index === index)
  );
}

function itemOf(input: unknown, index: number): Json | undefined {
  const items = isJsonObject(input) ? input.items : undefined;
  if (Array.isArray(items)) return items[index];
  return isJsonObject(items) ? (Object.entries(items)[index]?.[1] as Json | undefined) : undefined;
}
