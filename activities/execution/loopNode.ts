import { loopKey } from '../../domain/execution/iteration.ts';
import type { Failure, LoopStart } from '../../domain/execution/outcome.ts';
import type { StepRecord } from '../../domain/execution/stepRecord.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import type { CompiledNode } from '../../domain/workflow/compile.ts';
import {
  DEFAULT_ITERATIONS,
  isCollection,
  isWhole,
  LONGEST_MS,
  MAXIMUM_CONCURRENCY,
  MAXIMUM_ITERATIONS,
} from '../../domain/workflow/controlLimits.ts';
import { stepRecord } from '../../engine/executions/stepRecords.ts';
import {
  type IterationRange,
  type RecordedIteration,
  readIterations,
} from '../../prisma/store/execution/iterations.ts';
import type { ActivityServices } from '../services.ts';
import { attemptOf, type InlineRun, type InlineSettlement } from './inlineRun.ts';
import { invalid, resolveInputs } from './resolvedInputs.ts';
import {
  type Attempt,
  outputProblem,
  type Settlement,
  settleFailedStep,
  settleSuccess,
  tooLarge,
} from './stepSettlement.ts';

export interface LoopPlanned {
  ok: true;
  start: LoopStart;
  /** The items of a forEach, in order. */
  items?: Json[];
  /** The number of iterations is known: not by conditions. */
  counted: boolean;
}

/** The settings of a loop from its resolved inputs, or their problem. */
export function planLoop({ node }: CompiledNode, inputs: JsonObject): LoopPlanned | { ok: false; failure: Failure } {
  return node.type === 'forEach' ? planForEach(inputs) : planRepeat(inputs, node.inputs ?? {});
}

type Planning = ReturnType<typeof planLoop>;

function wrong(message: string): Planning {
  return { ok: false, failure: invalid(message) };
}

function planForEach({ items, concurrency, onItemError }: JsonObject): Planning {
  if (!isCollection(items)) return wrong(`items: expected a list or an object, got ${JSON.stringify(items ?? null)}`);
  const list = Array.isArray(items) ? items : Object.keys(items);
  if (list.length > MAXIMUM_ITERATIONS) {
    return wrong(`items: ${list.length} items, at most ${MAXIMUM_ITERATIONS} are allowed`);
  }
  const atOnce = concurrency ?? 1;
  if (!isWhole(atOnce, 1, MAXIMUM_CONCURRENCY)) {
    return wrong(
      `concurrency: expected a whole number from 1 to ${MAXIMUM_CONCURRENCY}, got ${JSON.stringify(atOnce)}`,
    );
  }
  const onError = onItemError ?? 'stop';
  if (onError !== 'stop' && onError !== 'continue') {
    return wrong(`onItemError: expected stop or continue, got ${JSON.stringify(onError)}`);
  }
  const start = { total: list.length, concurrency: atOnce, onItemError: onError } as const;
  return { ok: true, start, items: list, counted: true };
}

function planRepeat({ times, maximumIterations, pauseMs }: JsonObject, given: JsonObject): Planning {
  const counted = given.times !== undefined && given.times !== null;
  const limit = maximumIterations ?? (counted ? MAXIMUM_ITERATIONS : DEFAULT_ITERATIONS);
  if (!isWhole(limit, 1, MAXIMUM_ITERATIONS)) {
    const got = JSON.stringify(limit);
    return wrong(`maximumIterations: expected a whole number from 1 to ${MAXIMUM_ITERATIONS}, got ${got}`);
  }
  if (counted && !isWhole(times, 0, limit)) {
    return wrong(`times: expected a whole number from 0 to ${limit}, got ${JSON.stringify(times ?? null)}`);
  }
  const pause = pauseMs ?? 0;
  if (!isWhole(pause, 0, LONGEST_MS)) {
    return wrong(`pauseMs: expected a whole number of milliseconds from 0 to ${LONGEST_MS}`);
  }
  const start: LoopStart = { total: counted ? (times as number) : limit, concurrency: 1, onItemError: 'stop' };
  return { ok: true, start: pause === 0 ? start : { ...start, pauseMs: pause }, counted };
}

export interface OpenedLoop {
  attempt: Attempt;
  settlement: InlineSettlement;
  /** Absent where it failed at once. */
  planned?: LoopPlanned;
  /** About as many has the JSON of its inputs. */
  bytes: number;
}

/** Begins a loop: stores its items, and returns the data for running its iterations. */
export function openLoop(run: InlineRun): OpenedLoop {
  const resolved = resolveInputs(run.compiled, run.scope);
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
  return problem ? settleFailedStep(attempt, problem) : settleSuccess(attempt, output);
}

/** The loop fails; its running iterations are cancelled. */
export function failLoop(attempt: Attempt, failure: Failure): InlineSettlement {
  const key = loopKey(attempt.iteration, attempt.compiled.node.id);
  return { ...settleFailedStep(attempt, failure), cancelled: [`${key}:`] };
}

/** An iteration failed, and the loop with it. */
export function iterationFailure(index: number, { error }: EndedIteration): Failure {
  const message = `Iteration ${index}: ${error?.message ?? 'it failed'}`;
  return { code: 'ITERATION_FAILED', message, retryable: false };
}

/** Postgres writes JSON with spaces: a value within the limit has less than twice as many bytes there. */
const SPACES = 2;

export type RecordedIterations = { iterations: RecordedIteration[] } | { failure: Failure };

/**
 * The outputs of the iterations for the output of their loop, or the reason of a refusal. A thousand outputs, each
 * within its limit, would exhaust the memory of one worker after the other: so far too large outputs are not read.
 */
export async function recordedIterations(
  { config, database }: Pick<ActivityServices, 'config' | 'database'>,
  range: IterationRange,
): Promise<RecordedIterations> {
  const most = config.MAX_OUTPUT_BYTES;
  const read = await readIterations(database, range, SPACES * most);
  return 'bytes' in read ? { failure: tooLarge(read.bytes, most) } : { iterations: read };
}
