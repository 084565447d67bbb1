import { iterationKey, loopKey } from '../../domain/execution/iteration.ts';
import type { LoopStart, StoppedAt } from '../../domain/execution/outcome.ts';
import { NOTHING_DONE } from '../../domain/execution/progress.ts';
import { ending, ready } from '../../domain/execution/reducer.ts';
import type { IterationRecord, StepRecord, WebhookResponse } from '../../domain/execution/stepRecord.ts';
import type { LoopScope, Scope } from '../../domain/expression/scope.ts';
import type { Json } from '../../domain/json.ts';
import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import { keepsOutputs } from '../../domain/workflow/definition.ts';
import { scopePlan } from '../../domain/workflow/scopePlan.ts';
import { expressionScope, stepScopes } from '../../engine/executions/expressionScope.ts';
import { stepRecord } from '../../engine/executions/stepRecords.ts';
import { readKeptSteps, readUnended } from '../../prisma/store/execution/remainingIterations.ts';
import { type RecordedStep, readRunContext } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';
import { type AskedLoop, answerLoop } from './askLoop.ts';
import { runInlineNode } from './inlineNode.ts';
import { attemptOf, type InlineRun, type InlineSettlement } from './inlineRun.ts';
import {
  failLoop,
  iterationFailure,
  type OpenedLoop,
  openLoop,
  recordedIterations,
  settleCounts,
  settleLoop,
} from './loopNode.ts';
import { entriesProblem } from './loopOutput.ts';
import { MemoryScope } from './memoryScope.ts';
import type { PlacedLoop } from './openedLoops.ts';
import { MAX_ITERATIONS, type RegionBudget } from './regionBudget.ts';
import { iterationRecord } from './scopeEnd.ts';
import { settleFailedStep } from './stepSettlement.ts';

/** Begins or continues a loop whose iterations do not wait. `step` is its row at the beginning of the region. */
export async function runLoopInRegion(
  services: ActivityServices,
  definition: CompiledDefinition,
  run: InlineRun,
  step: RecordedStep | undefined,
  budget: RegionBudget,
): Promise<InlineSettlement> {
  const { workspaceId, executionId, compiled, iteration: parent, scope } = run;
  const place = { workspaceId, executionId, parent, compiled };
  const { attempt, settlement, planned, bytes } = await (step
    ? resumedLoop(services, run, place)
    : openLoop(run, services));
  if (!planned) return settlement;
  const done = step?.done ?? 0;
  const { start, counted, items } = planned;
  const before = await stepsBefore(services, definition, run, done);
  const { lineageId } = run;
  const loop = {
    workspaceId,
    executionId,
    lineageId,
    definition,
    compiled,
    parent,
    scope,
    start,
    counted,
    from: done,
    bytes: step?.bytes ?? 0,
    before,
  };
  const rest = typeof step?.kept === 'number' && items ? await restOf(services, place, start.total) : undefined;
  const part = await iterateInRegion(
    services,
    { ...loop, ...(items ? { items } : {}), ...(rest ? { rest } : {}) },
    budget,
  );
  if (part.end === 'open') services.openedLoops.keep(place, planned, bytes);
  else services.openedLoops.forget(place);

  const settled = await settle();
  const total = counted ? { iterationsTotal: start.total } : {};
  const { steps: inner, iterations, response } = part;
  return {
    ...settled,
    record: { ...settled.record, ...total },
    ...(step && part.end === 'open' ? { isWritten: true } : {}),
    inner,
    iterations,
    ...(response ? { response } : {}),
  };

  async function settle(): Promise<InlineSettlement> {
    const nodeId = compiled.node.id;
    const { end } = part;
    if (end === 'open') return { record: settlement.record, outcome: { nodeId, status: 'LOOPING' } };
    if (end === 'done') return settleDone();
    if ('stopped' in end) return { record: settlement.record, outcome: { nodeId, status: 'STOPPED', at: end.stopped } };
    return failLoop(attempt, failureOf(nodeId, end));
  }

  async function settleDone(): Promise<InlineSettlement> {
    if (!keepsOutputs(compiled.node)) return settleCounts(attempt, step, part.iterations);
    const to = rest ? start.total : done;
    const range = { workspaceId, executionId, loopKey: loopKey(parent, compiled.node.id), to };
    const earlier = done === 0 ? { iterations: [] } : await recordedIterations(services, range);
    if ('failure' in earlier) return settleFailedStep(attempt, earlier.failure);
    const all = [...earlier.iterations, ...part.iterations];
    if (rest) all.sort((one, other) => one.index - other.index);
    return settleLoop(attempt, all, services.config.MAX_OUTPUT_BYTES);
  }
}

function failureOf(nodeId: string, end: Exclude<LoopPart['end'], string | { stopped: unknown }>) {
  return 'failure' in end ? end.failure : iterationFailure(nodeId, end.failed.index, end.failed);
}

/** Returns the loop as it was opened; its stored values are not written again. */
async function resumedLoop({ openedLoops }: ActivityServices, run: InlineRun, place: PlacedLoop): Promise<OpenedLoop> {
  const { planned, bytes } = await openedLoops.of(place);
  const record: StepRecord = { ...stepRecord(run.compiled, run.label, run.attempt, run.iteration), status: 'RUNNING' };
  const outcome = { nodeId: run.compiled.node.id, status: 'LOOPING' } as const;
  return { attempt: attemptOf(run), settlement: { record, outcome }, planned, bytes };
}

/** Returns the steps of the last written iteration if a condition of the loop may use them. */
async function stepsBefore(
  services: ActivityServices,
  definition: CompiledDefinition,
  { workspaceId, executionId, compiled, iteration: parent }: InlineRun,
  done: number,
): Promise<Scope['steps']> {
  if (done === 0 || !asks(compiled)) return {};
  const iteration = iterationKey(parent, compiled.node.id, done - 1);
  const context = await readRunContext(services.database, workspaceId, executionId, { steps: 'all', iteration });
  return context ? expressionScope(services, definition, { workspaceId, executionId, iteration }, context).steps : {};
}

function asks({ repeat }: CompiledNode): boolean {
  return repeat?.while !== undefined || repeat?.until !== undefined;
}

/** A loop whose iterations run in a region, beginning at `from`. */
export interface RegionLoop {
  workspaceId: string;
  executionId: string;
  lineageId: string | null;
  definition: CompiledDefinition;
  compiled: CompiledNode;
  /** The scope of the loop. */
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

/** Runs iterations one after the other in memory until the budget is spent. */
async function iterateInRegion(services: ActivityServices, loop: RegionLoop, budget: RegionBudget): Promise<LoopPart> {
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
interface LoopRest {
  indices: number[];
  isWhole: boolean;
  /** Steps taken over from the earlier execution, by index. */
  steps: ReadonlyMap<number, Record<string, RecordedStep>>;
}

async function restOf({ database }: ActivityServices, place: PlacedLoop, total: number): Promise<LoopRest> {
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
  for (
    let [next] = ready(plan, memory.progress);
    next && !memory.progress.ended;
    [next] = ready(plan, memory.progress)
  ) {
    if (budget.eventLoop.isDue) await budget.eventLoop.take();
    await memory.settle({ nodeId: next.id, cause: 'run', attempt: 1 }, (run) => runInlineNode(run, services));
  }
  const { settled } = memory;
  part.steps.push(...settled.map(({ record }) => record));
  part.response ??= settled.find(({ response }) => response)?.response;
  const end = ending(plan, memory.progress);
  if (!end) throw new Error(`The iteration ${iteration} came to no end`);
  const { steps } = scope;
  if ('nodeId' in end && end.stop) {
    const stop = end.status === 'COMPLETED' ? 'completed' : 'failed';
    return { stopped: { nodeId: end.nodeId, iteration, stop }, steps };
  }
  return { record: iterationRecord(iteration, definition, end, scope), nodes: settled.length, steps };
}
