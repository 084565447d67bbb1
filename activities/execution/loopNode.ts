import { loopKey } from '../../domain/execution/iteration.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import type { StepRecord } from '../../domain/execution/stepRecord.ts';
import type { Json } from '../../domain/json.ts';
import { stepRecord } from '../../engine/stepRecords.ts';
import { attemptOf, type InlineRun, type InlineSettlement } from './inlineRun.ts';
import { type LoopPlanned, planLoop } from './loopInputs.ts';
import { resolveInputs } from './resolvedInputs.ts';
import { type Attempt, outputProblem, type Settlement, settleFailure, settleSuccess } from './stepSettlement.ts';

export interface OpenedLoop {
  attempt: Attempt;
  settlement: InlineSettlement;
  /** Absent where it failed at once. */
  planned?: LoopPlanned;
  /** About as many has the JSON of its inputs. */
  bytes: number;
}

/** A loop begins: its items are settled, and what runs its iterations is told. */
export function openLoop(run: InlineRun): OpenedLoop {
  const resolved = resolveInputs(run.compiled, run.scope);
  if (!resolved.ok) {
    const attempt = attemptOf(run);
    return { attempt, settlement: settleFailure(attempt, resolved.failure), bytes: 0 };
  }
  const { bytes } = resolved;
  const planned = planLoop(run.compiled, resolved.inputs);
  const items = planned.ok ? planned.items : undefined;
  const attempt = attemptOf(run, items ? { ...resolved.shown, items } : resolved.shown);
  if (!planned.ok) return { attempt, settlement: settleFailure(attempt, planned.failure), bytes };
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

/** How an iteration has ended, from its row or as it is about to be written. */
export interface EndedIteration {
  status: 'COMPLETED' | 'FAILED';
  output?: Json;
  error?: { code: string; message: string } | null;
}

/** All iterations have ended, and none ended the loop: its output is theirs, in order. */
export function settleLoop(
  attempt: Attempt,
  iterations: readonly EndedIteration[],
  maxOutputBytes: number,
): Settlement {
  const output = iterations.map(
    ({ status, output = null, error }): Json => (status === 'FAILED' ? { error: { ...error } } : output),
  );
  const problem = outputProblem(output, maxOutputBytes);
  return problem ? settleFailure(attempt, problem) : settleSuccess(attempt, output);
}

/** The loop fails; what still runs of it is closed. */
export function failLoop(attempt: Attempt, failure: Failure): InlineSettlement {
  const key = loopKey(attempt.iteration, attempt.compiled.node.id);
  return { ...settleFailure(attempt, failure), cancelled: [`${key}:`] };
}

/** An iteration failed, and the loop with it. */
export function iterationFailure(index: number, { error }: EndedIteration): Failure {
  const message = `Iteration ${index}: ${error?.message ?? 'it failed'}`;
  return { code: 'ITERATION_FAILED', message, retryable: false };
}
