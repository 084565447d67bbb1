import { iterationKey, loopKey } from '../../domain/execution/iteration.ts';
import type { StepRecord } from '../../domain/execution/stepRecord.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import { keepsOutputs } from '../../domain/workflow/definition.ts';
import { expressionScope } from '../../engine/executions/expressionScope.ts';
import { stepRecord } from '../../engine/executions/stepRecords.ts';
import { type RecordedStep, readRunContext } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';
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
import type { PlacedLoop } from './openedLoops.ts';
import type { RegionBudget } from './regionBudget.ts';
import { iterateInRegion, type LoopPart, type RegionLoop, restOf } from './regionIterations.ts';
import { settleFailedStep } from './stepSettlement.ts';

/** Begins or continues a loop whose iterations do not wait. `step` is its row at the beginning of the region. */
export async function runLoopInRegion(
  services: ActivityServices,
  definition: CompiledDefinition,
  run: InlineRun,
  step: RecordedStep | undefined,
  budget: RegionBudget,
): Promise<InlineSettlement> {
  const { workspaceId, executionId, lineageId, compiled, iteration: parent, scope } = run;
  const place = { workspaceId, executionId, parent, compiled };
  const opened = await (step ? openAgain(services, run, place) : openLoop(run, services));
  const { planned } = opened;
  if (!planned) return opened.settlement;
  const { start, counted, items } = planned;
  const from = step?.done ?? 0;
  const before = await stepsBefore(services, definition, run, from);
  const isOfRetry = typeof step?.kept === 'number' && items !== undefined;
  const loop: RegionLoop = {
    ...{ workspaceId, executionId, lineageId, definition, compiled, parent, scope, start, counted, from, before },
    bytes: step?.bytes ?? 0,
    ...(items ? { items } : {}),
    ...(isOfRetry ? { rest: await restOf(services, place, start.total) } : {}),
  };
  const part = await iterateInRegion(services, loop, budget);
  if (part.end === 'open') services.openedLoops.keep(place, planned, opened.bytes);
  else services.openedLoops.forget(place);

  const settlement = await settlePart(services, opened, loop, part, step);
  const total = counted ? { iterationsTotal: start.total } : {};
  const { steps: inner, iterations, response } = part;
  return {
    ...settlement,
    record: { ...settlement.record, ...total },
    ...(step && part.end === 'open' ? { isWritten: true } : {}),
    inner,
    iterations,
    ...(response ? { response } : {}),
  };
}

/** Returns the loop as it was opened; its stored values are not written again. */
async function openAgain({ openedLoops }: ActivityServices, run: InlineRun, place: PlacedLoop): Promise<OpenedLoop> {
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

async function settlePart(
  services: ActivityServices,
  { attempt, settlement: { record } }: OpenedLoop,
  loop: RegionLoop,
  part: LoopPart,
  step: RecordedStep | undefined,
): Promise<InlineSettlement> {
  const nodeId = loop.compiled.node.id;
  const { end } = part;
  if (end === 'open') return { record, outcome: { nodeId, status: 'LOOPING' } };
  if (end === 'done') {
    if (!keepsOutputs(loop.compiled.node)) return settleCounts(attempt, step, part.iterations);
    const all = await allIterations(services, loop, part);
    if ('failure' in all) return settleFailedStep(attempt, all.failure);
    return settleLoop(attempt, all.iterations, services.config.MAX_OUTPUT_BYTES);
  }
  if ('stopped' in end) return { record, outcome: { nodeId, status: 'STOPPED', at: end.stopped } };
  if ('failure' in end) return failLoop(attempt, end.failure);
  return failLoop(attempt, iterationFailure(nodeId, end.failed.index, end.failed));
}

/** Returns the iterations of earlier regions, and of the retried execution, with those of this region, in order. */
async function allIterations(services: ActivityServices, loop: RegionLoop, { iterations }: LoopPart) {
  const { workspaceId, executionId, parent, compiled, from, rest, start } = loop;
  if (from === 0) return { iterations };
  const to = rest ? start.total : from;
  const key = loopKey(parent, compiled.node.id);
  const earlier = await recordedIterations(services, { workspaceId, executionId, loopKey: key, to });
  if ('failure' in earlier) return earlier;
  const all = [...earlier.iterations, ...iterations];
  return { iterations: rest ? all.sort((one, other) => one.index - other.index) : all };
}
