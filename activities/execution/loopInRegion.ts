import { iterationKey, loopKey } from '../../domain/execution/iteration.ts';
import type { StepRecord } from '../../domain/execution/stepRecord.ts';
import type { Scope } from '../../domain/expression/scope.ts';
import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import { stepRecord } from '../../engine/stepRecords.ts';
import { type RecordedStep, readRunContext } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';
import { expressionScope } from './expressionScope.ts';
import { attemptOf, type InlineRun, type InlineSettlement } from './inlineRun.ts';
import { failLoop, iterationFailure, type OpenedLoop, openLoop, settleLoop } from './loopNode.ts';
import type { PlacedLoop } from './openedLoops.ts';
import { recordedIterations } from './recordedIterations.ts';
import type { RegionBudget } from './regionBudget.ts';
import { iterateInRegion, type LoopPart } from './regionLoop.ts';
import { settleFailure } from './stepSettlement.ts';

/**
 * A loop in whose iterations nothing waits: begun, or gone on with behind those that are written. `step` is its row as the region
 * found it.
 */
export async function runLoopInRegion(
  services: ActivityServices,
  definition: CompiledDefinition,
  run: InlineRun,
  step: RecordedStep | undefined,
  budget: RegionBudget,
): Promise<InlineSettlement> {
  const { workspaceId, executionId, compiled, iteration: parent, scope } = run;
  const place = { workspaceId, executionId, parent, compiled };
  const { attempt, settlement, planned, bytes } = step ? await goneOn(services, run, place) : openLoop(run);
  if (!planned) return settlement;
  const done = step?.done ?? 0;
  const { start, counted, items } = planned;
  const before = await stepsBefore(services, run, done);
  const loop = { workspaceId, executionId, definition, compiled, parent, scope, start, counted, from: done, before };
  const part = await iterateInRegion(services, items ? { ...loop, items } : loop, budget);
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
    if (end === 'done') {
      const range = { workspaceId, executionId, loopKey: loopKey(parent, nodeId), to: done };
      const earlier = done === 0 ? { iterations: [] } : await recordedIterations(services, range);
      if ('failure' in earlier) return settleFailure(attempt, earlier.failure);
      return settleLoop(attempt, [...earlier.iterations, ...part.iterations], services.config.MAX_OUTPUT_BYTES);
    }
    if ('stopped' in end) return { record: settlement.record, outcome: { nodeId, status: 'STOPPED', at: end.stopped } };
    return failLoop(attempt, failureOf(end));
  }
}

function failureOf(end: Exclude<LoopPart['end'], string | { stopped: unknown }>) {
  return 'failure' in end ? end.failure : iterationFailure(end.failed.index, end.failed);
}

/** The loop as it was opened: what its row holds is not written again. */
async function goneOn({ openedLoops }: ActivityServices, run: InlineRun, place: PlacedLoop): Promise<OpenedLoop> {
  const { planned, bytes } = await openedLoops.of(place);
  const record: StepRecord = { ...stepRecord(run.compiled, run.label, run.attempt, run.iteration), status: 'RUNNING' };
  const outcome = { nodeId: run.compiled.node.id, status: 'LOOPING' } as const;
  return { attempt: attemptOf(run), settlement: { record, outcome }, planned, bytes };
}

/** Steps of the last iteration that is written, where a condition of the loop may name them. */
async function stepsBefore(
  services: ActivityServices,
  { workspaceId, executionId, compiled, iteration: parent }: InlineRun,
  done: number,
): Promise<Scope['steps']> {
  if (done === 0 || !asks(compiled)) return {};
  const iteration = iterationKey(parent, compiled.node.id, done - 1);
  const context = await readRunContext(services.database, workspaceId, executionId, { steps: 'all', iteration });
  return context ? expressionScope({ workspaceId, executionId, iteration }, context).steps : {};
}

function asks({ repeat }: CompiledNode): boolean {
  return repeat?.while !== undefined || repeat?.until !== undefined;
}
