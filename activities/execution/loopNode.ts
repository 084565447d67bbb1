import { loopKey } from '../../domain/execution/iteration.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import type { IterationError, StepRecord } from '../../domain/execution/stepRecord.ts';
import type { Json } from '../../domain/json.ts';
import { stepRecord } from '../../engine/executions/stepRecords.ts';
import {
  type IterationRange,
  type RecordedIteration,
  readIterations,
} from '../../prisma/store/execution/iterations.ts';
import { readStepInput } from '../../prisma/store/execution/readStep.ts';
import type { RecordedStep } from '../../prisma/store/execution/runContext.ts';
import type { ActivityServices } from '../services.ts';
import { attemptOf, type InlineRun, type InlineSettlement } from './inlineRun.ts';
import { entriesProblem, loopEntry } from './loopOutput.ts';
import { type LoopPlanned, planLoop } from './planLoop.ts';
import { continueWith, type Evaluates, type Resolved, resolveInputs } from './resolvedInputs.ts';
import {
  type Attempt,
  outputProblem,
  type Settlement,
  settleFailedStep,
  settleSuccess,
  tooLarge,
} from './stepSettlement.ts';

export interface OpenedLoop {
  attempt: Attempt;
  settlement: InlineSettlement;
  planned?: LoopPlanned;
  /** Approximate JSON size of its inputs. */
  bytes: number;
}

/** Begins a loop: stores its items, and returns the data for running its iterations. */
export function openLoop(run: InlineRun, services: Evaluates): OpenedLoop | Promise<OpenedLoop> {
  return continueWith(resolveInputs(services, run), (resolved) => opened(run, resolved));
}

function opened(run: InlineRun, resolved: Resolved): OpenedLoop {
  if (!resolved.ok) {
    const attempt = attemptOf(run);
    return { attempt, settlement: settleFailedStep(attempt, resolved.failure), bytes: 0 };
  }
  const { bytes } = resolved;
  const planned = planLoop(run.compiled, resolved.inputs);
  const items = planned.ok ? planned.items : undefined;
  const attempt = attemptOf(run, items ? { ...resolved.shown, items } : resolved.shown);
  if (!planned.ok) return { attempt, settlement: settleFailedStep(attempt, planned.failure), bytes };
  const record: StepRecord = {
    ...stepRecord(run.compiled, run.label, run.attempt, run.iteration),
    status: 'RUNNING',
    ...(attempt.input ? { input: attempt.input } : {}),
    startedAt: attempt.startedAt.toISOString(),
    ...(planned.counted ? { iterationsTotal: planned.start.total } : {}),
  };
  const { id: nodeId } = run.compiled.node;
  return {
    attempt,
    settlement: { record, outcome: { nodeId, status: 'LOOPING', loop: planned.start } },
    planned,
    bytes,
  };
}

/** Resumes a loop with `kept` reused iterations. Fails if their outputs together exceed the size limit already. */
export async function resumeLoop(
  { config, database }: ActivityServices,
  run: InlineRun,
  { kept, bytes = 0 }: { kept: number; bytes?: number | undefined },
): Promise<InlineSettlement> {
  const { workspaceId, executionId, iteration } = run;
  const { id: nodeId } = run.compiled.node;
  const input = await readStepInput(database, workspaceId, executionId, { nodeId, iteration });
  const attempt = attemptOf(run);
  const planned = planLoop(run.compiled, input ?? {});
  if (!planned.ok) return settleFailedStep(attempt, planned.failure);
  const problem = entriesProblem(run.compiled.node, bytes, config.MAX_OUTPUT_BYTES);
  if (problem) return failLoop(attempt, problem);
  const record: StepRecord = {
    ...stepRecord(run.compiled, run.label, run.attempt, iteration),
    status: 'RUNNING',
    startedAt: attempt.startedAt.toISOString(),
  };
  const { start } = planned;
  const total = planned.items ? start.total - kept : start.total;
  return { record, outcome: { nodeId, status: 'LOOPING', loop: { ...start, total, kept } } };
}

export interface EndedIteration {
  status: 'COMPLETED' | 'FAILED';
  output?: Json;
  error?: IterationError | null;
}

/** Settles a loop whose iterations have all ended without ending it: its output contains theirs, in order. */
export function settleLoop(
  attempt: Attempt,
  iterations: readonly EndedIteration[],
  maxOutputBytes: number,
): Settlement {
  const output = iterations.map(loopEntry);
  const problem = outputProblem(output, maxOutputBytes);
  return problem ? settleFailedStep(attempt, problem) : settleSuccess(attempt, output);
}

/** Like settleLoop, for a loop that keeps no outputs. `step` is its row, `iterations` have ended since. */
export function settleCounts(
  attempt: Attempt,
  step: Pick<RecordedStep, 'done' | 'failed'> | undefined,
  iterations: readonly EndedIteration[] = [],
): Settlement {
  const total = (step?.done ?? 0) + iterations.length;
  const failed = (step?.failed ?? 0) + iterations.filter(({ status }) => status === 'FAILED').length;
  return settleSuccess(attempt, { total, completed: total - failed, failed });
}

export function failLoop(attempt: Attempt, failure: Failure): InlineSettlement {
  const key = loopKey(attempt.iteration, attempt.compiled.node.id);
  return { ...settleFailedStep(attempt, failure), cancelled: [`${key}:`] };
}

export function iterationFailure(nodeId: string, index: number, { error }: EndedIteration): Failure {
  const message = `Iteration ${index + 1}: ${error?.message ?? 'it failed'}`;
  const ofLoop = { iteration: { nodeId, index }, ...(error?.cause ? { cause: error.cause } : {}) };
  return { code: 'ITERATION_FAILED', message, retryable: false, ofLoop };
}

/** Postgres writes JSON with spaces, which at most doubles its bytes. */
const SPACES = 2;

export type RecordedIterations = { iterations: RecordedIteration[] } | { failure: Failure };

/**
 * Returns the outputs of the iterations for the output of their loop, or a failure if they are too large. Reading a
 * thousand outputs that are each within the limit would exhaust the memory of every worker that tries.
 */
export async function recordedIterations(
  { config, database }: Pick<ActivityServices, 'config' | 'database'>,
  range: IterationRange,
): Promise<RecordedIterations> {
  const most = config.MAX_OUTPUT_BYTES;
  const read = await readIterations(database, range, SPACES * most);
  return 'bytes' in read ? { failure: tooLarge(read.bytes, most) } : { iterations: read };
}
