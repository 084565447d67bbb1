import { queryOptions } from '@tanstack/react-query';
import type { LoopScope, Scope, StepScope } from '../../../domain/expression/scope.ts';
import { isJsonObject, type Json } from '../../../domain/json.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import { loopsAround } from '../../../domain/workflow/parents.ts';
import type { ExecutionStep } from '../../data/executions.ts';
import { client } from '../../session.ts';

/** The values of a real execution. */
export interface Sample {
  executionId: string;
  trigger: Json;
  steps: SampleStep[];
  variables: Record<string, Json>;
  execution: Scope['execution'];
}

export type SampleStep = Pick<ExecutionStep, 'nodeId' | 'status' | 'iteration' | 'input' | 'output' | 'error'>;

/** Above it an output is left where it is: a preview needs no file. */
const MOST_BYTES = 500_000;
const MOST_LOADED = 40;

const EXPANSION = [
  'name',
  'status',
  'workflow',
  'executionNumber',
  'startedAt',
  'input',
  'executionPath',
  'executionVariables',
].join(',');

export function sample(executionId: string) {
  return queryOptions({
    queryKey: ['getExecution', executionId, 'sample'],
    queryFn: ({ signal }) => readSample(executionId, signal),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
}

async function readSample(executionId: string, signal: AbortSignal): Promise<Sample> {
  const path = { executionId };
  const whole = await client.getExecution({ path, query: { expansion: EXPANSION }, signal });
  const input = whole.inputLink ? await client.getExecutionInput({ path, signal }) : whole.input;
  const far = (whole.executionPath ?? []).filter(
    ({ outputLink, outputBytes }) => outputLink && (outputBytes ?? 0) <= MOST_BYTES,
  );
  const outputs = new Map(
    await Promise.all(
      far.slice(-MOST_LOADED).map(async ({ id }) => {
        const output = await client.getExecutionStepOutput({ path: { executionId, stepId: id }, signal });
        return [id, output] as const;
      }),
    ),
  );
  return {
    executionId,
    trigger: (input?.trigger ?? null) as Json,
    steps: (whole.executionPath ?? []).map((step) => ({ ...step, output: outputs.get(step.id) ?? step.output })),
    variables: (whole.executionVariables ?? {}) as Record<string, Json>,
    execution: {
      id: executionId,
      number: whole.executionNumber ?? 0,
      startedAt: whole.startedAt ?? '',
      workflowId: whole.workflow?.id ?? '',
      workflowName: whole.workflow?.name ?? whole.name ?? '',
    },
  };
}

/**
 * What expressions of a node saw in the execution: inside loops in one iteration, the last that it ran itself, or the last
 * that anything of its loop ran. `nodeId` absent: at the end of the whole.
 */
export function scopeOf(
  { trigger, steps, variables, execution }: Sample,
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

/** Of a forEach: its items stand in what it got. */
function itemOf(input: unknown, index: number): Json | undefined {
  const items = isJsonObject(input) ? input.items : undefined;
  if (Array.isArray(items)) return items[index];
  return isJsonObject(items) ? (Object.entries(items)[index]?.[1] as Json | undefined) : undefined;
}
