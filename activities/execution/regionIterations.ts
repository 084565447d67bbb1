import { iterationKey, loopKey } from '../../domain/execution/iteration.ts';
import type { LoopStart, StoppedAt } from '../../domain/execution/outcome.ts';
import { NOTHING_DONE } from '../../domain/execution/progress.ts';
import { ending, ready } from '../../domain/execution/reducer.ts';
import type { IterationRecord, StepRecord, WebhookResponse } from '../../domain/execution/stepRecord.ts';
import type { LoopScope, Scope } from '../../domain/expression/scope.ts';
import type { Json } from '../../domain/json.ts';
import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import { scopePlan } from '../../domain/workflow/scopePlan.ts';
import { stepScopes } from '../../engine/executions/expressionScope.ts';
import { readKeptSteps, readUnended } from '../../prisma/store/execution/remainingIterations.ts';
import type { RecordedStep } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';
import { type AskedLoop, answerLoop } from './askLoop.ts';
import { runInlineNode } from './inlineNode.ts';
import { entriesProblem } from './loopOutput.ts';
import { MemoryScope } from './memoryScope.ts';
import type { PlacedLoop } from './openedLoops.ts';
import { MAX_ITERATIONS, type RegionBudget } from './regionBudget.ts';
import { iterationRecord } from './scopeEnd.ts';

export interface RegionLoop {
  workspaceId: string;
  executionId: string;
  lineageId: string | null;
  definition: CompiledDefinition;
  compiled: CompiledNode;
  parent: string;
  scope: Scope;
  start: LoopStart;
  counted: boolean;
  items?: Json[];
  from: number;
  /** The bytes of the entries of ended iterations (loopOutput.ts). */
  bytes: number;
  /** Replaces `from` for a forEach that continues in a retry. */
  rest?: LoopRest;
  /** Steps of the previous iteration, which a repeat's conditions may use. */
  before: Scope['steps'];
}

export interface LoopPart {
  steps: StepRecord[];
  iterations: IterationRecord[];
  response?: WebhookResponse;
  /** `open`: the budget is spent, and iterations remain. */
  end:
    | 'open'
    | 'done'
    | { failed: IterationRecord }
    | { stopped: StoppedAt }
    | Extract<AskedLoop, { failure: unknown }>;
}

export async function iterateInRegion(
  services: ActivityServices,
  loop: RegionLoop,
  budget: RegionBudget,
): Promise<LoopPart> {
  const part: LoopPart = { steps: [], iterations: [], end: 'done' };
  let { before, bytes } = loop;
  for (const index of indicesOf(loop)) {
    const problem = entriesProblem(loop.compiled.node, bytes, services.config.MAX_OUTPUT_BYTES);
    if (problem) return { ...part, end: { failure: problem } };
    const own = before;
    let answer = answerLoop(services, { ...loop, index, limit: loop.start.total }, (at) => scopeOf(loop, at, own));
    if (answer instanceof Promise) answer = await answer;
    if ('failure' in answer) return { ...part, end: answer };
    if (!answer.go) return part;
    // Run at least one in each call, so that the loop makes progress.
    if (part.iterations.length > 0 && budget.isSpent) return { ...part, end: 'open' };
    const ended = await iterateInMemory(services, loop, index, part, budget);
    if ('stopped' in ended) return { ...part, end: { stopped: ended.stopped } };
    part.iterations.push(ended.record);
    if (ended.record.status === 'FAILED' && loop.start.onItemError === 'stop') {
      return { ...part, end: { failed: ended.record } };
    }
    before = ended.steps;
    bytes += ended.record.bytes;
    budget.spendIteration(ended.nodes);
  }
  return { ...part, end: 'open' };
}

/** Yields the next indices and, if all remaining ones are known, the index after the last. */
function* indicesOf({ from, rest, start }: RegionLoop): Generator<number> {
  if (!rest) for (let index = from; ; index += 1) yield index;
  yield* rest.indices;
  if (rest.isWhole) yield start.total;
}

/** Iterations of a loop that have not ended, in order: the first ones, or all. */
export interface LoopRest {
  indices: number[];
  isWhole: boolean;
  /** Steps taken over from the earlier execution, by index. */
  steps: ReadonlyMap<number, Record<string, RecordedStep>>;
}

/** Returns the first iterations without a row, as many as a region may run. */
export async function restOf({ database }: ActivityServices, place: PlacedLoop, total: number): Promise<LoopRest> {
  const { workspaceId, executionId, parent, compiled } = place;
  const key = loopKey(parent, compiled.node.id);
  const range = { workspaceId, executionId, loopKey: key, total };
  const indices = await readUnended(database, range, MAX_ITERATIONS);
  const steps = await readKeptSteps(database, { workspaceId, executionId, loopKey: key }, indices);
  return { indices, isWhole: indices.length < MAX_ITERATIONS, steps };
}

function scopeOf({ compiled, scope, start, counted, items }: RegionLoop, index: number, own: Scope['steps']): Scope {
  const loop: LoopScope = {
    index,
    ...(items === undefined ? {} : { item: items[index] ?? null }),
    ...(counted ? { total: start.total } : {}),
  };
  return { ...scope, steps: { ...scope.steps, ...own }, loop, loops: { ...scope.loops, [compiled.node.id]: loop } };
}

type Ended = { record: IterationRecord; nodes: number } | { stopped: StoppedAt };

async function iterateInMemory(
  services: ActivityServices,
  loop: RegionLoop,
  index: number,
  part: LoopPart,
  budget: RegionBudget,
): Promise<Ended & { steps: Scope['steps'] }> {
  const { workspaceId, executionId, lineageId, definition, compiled, parent, rest } = loop;
  const plan = scopePlan(definition.plan, compiled.node.id);
  const iteration = iterationKey(parent, compiled.node.id, index);
  const at = { workspaceId, executionId, iteration, lineageId };
  const kept = rest?.steps.get(index) ?? {};
  const scope = scopeOf(loop, index, stepScopes(kept));
  const memory = new MemoryScope({
    ...{ services, definition, plan, at, scope, steps: kept, budget },
    progress: NOTHING_DONE,
  });
  while (!memory.progress.ended) {
    const [next] = ready(plan, memory.progress);
    if (!next) break;
    await memory.settle({ nodeId: next.id, cause: 'run', attempt: 1 }, (run) => runInlineNode(run, services));
  }
  const { settled } = memory;
  part.steps.push(...settled.map(({ record }) => record));
  part.response ??= memory.response;
  const end = ending(plan, memory.progress);
  if (!end) throw new Error(`The iteration ${iteration} came to no end`);
  const { steps } = scope;
  if ('nodeId' in end && end.stop) {
    const stop = end.status === 'COMPLETED' ? 'completed' : 'failed';
    return { stopped: { nodeId: end.nodeId, iteration, stop }, steps };
  }
  return { record: iterationRecord(iteration, definition, end, scope), nodes: settled.length, steps };
}
