import { decideRetry } from '../../domain/execution/decideRetry.ts';
import { keptFailure } from '../../domain/execution/keptFailure.ts';
import type { Failure, Outcome } from '../../domain/execution/outcome.ts';
import type { StepRecord } from '../../domain/execution/stepRecord.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import { isDeeperThan, MAX_DEPTH } from '../../domain/jsonDepth.ts';
import { storableText, storageProblem } from '../../domain/storableJson.ts';
import type { CompiledNode } from '../../domain/workflow/compile.ts';
import { stepRecord } from '../../engine/executions/stepRecords.ts';
import type { ActionResult } from '../apps/executor.ts';

/** An attempt whose connection must be authorized again. */
export interface MissedConnection {
  connectionId: string;
  failure: Failure;
}

export interface Settlement {
  record: StepRecord;
  outcome: Outcome;
  /** Size of the output as JSON, if measured. */
  bytes?: number;
  missed?: MissedConnection;
}

export interface Attempt {
  compiled: CompiledNode;
  /** The scope of the step (iteration.ts). */
  iteration: string;
  label: string;
  attempt: number;
  startedAt: Date;
  /** Resolved and masked; absent if it could not be resolved. */
  input?: JsonObject;
}

export function settleSuccess(
  attempt: Attempt,
  output: Json,
  handle?: string,
  stop?: 'completed' | 'failed',
): Settlement {
  const way = handle === undefined ? {} : { handle };
  return {
    record: { ...endedRecord(attempt), status: 'COMPLETED', output, ...way },
    outcome: { nodeId: attempt.compiled.node.id, status: 'COMPLETED', ...way, ...(stop ? { stop } : {}) },
  };
}

/** Settles as RETRYING with a wake time if the policy allows another attempt, else as FAILED. */
export function settleFailedStep(attempt: Attempt, failure: Failure): Settlement {
  const { node } = attempt.compiled;
  const record: StepRecord = {
    ...endedRecord(attempt),
    status: 'FAILED',
    error: {
      code: failure.code,
      ...keptFailure(failure),
      attempt: attempt.attempt,
      ...failure.ofLoop,
    },
  };
  const delayMs = decideRetry(node.retry, attempt.attempt, failure);
  if (delayMs === undefined) return { record, outcome: { nodeId: node.id, status: 'FAILED', code: failure.code } };
  return {
    record: { ...record, status: 'RETRYING', wakeAt: new Date(Date.now() + delayMs).toISOString() },
    outcome: { nodeId: node.id, status: 'RETRYING', attempt: attempt.attempt, delayMs, code: failure.code },
  };
}

export function settleResult(attempt: Attempt, result: ActionResult, maxOutputBytes: number): Settlement {
  const settlement = settledAs(attempt, result, maxOutputBytes);
  const { console, secrets } = result;
  if (!console && !secrets) return settlement;
  const record: StepRecord = {
    ...settlement.record,
    ...(console ? { console: console.map(({ level, text }) => ({ level, text: storableText(text) })) } : {}),
    ...(secrets ? { secrets } : {}),
  };
  return { ...settlement, record };
}

function settledAs(attempt: Attempt, result: ActionResult, maxOutputBytes: number): Settlement {
  if (!result.ok) return settleFailedStep(attempt, result.failure);
  const judged = judgeOutput(result.output, maxOutputBytes);
  if ('problem' in judged) return settleFailedStep(attempt, judged.problem);
  return { ...settleSuccess(attempt, result.output), bytes: judged.bytes };
}

export function outputProblem(output: Json, maxOutputBytes: number): Failure | undefined {
  const judged = judgeOutput(output, maxOutputBytes);
  return 'problem' in judged ? judged.problem : undefined;
}

function judgeOutput(output: Json, maxOutputBytes: number): { problem: Failure } | { bytes: number } {
  // Check this first: JSON.stringify throws if the value is very deep, and the step would be retried for ever.
  if (isDeeperThan(output, MAX_DEPTH)) {
    const message = `The output is nested too deeply; at most ${MAX_DEPTH} levels are allowed`;
    return { problem: { code: 'OUTPUT_TOO_DEEP', message, retryable: false } };
  }
  const text = JSON.stringify(output) ?? 'null';
  const size = Buffer.byteLength(text);
  if (size > maxOutputBytes) return { problem: tooLarge(size, maxOutputBytes) };
  const problem = storageProblem(text);
  if (problem === undefined) return { bytes: size };
  const message = `The output cannot be stored: ${problem}`;
  return { problem: { code: 'OUTPUT_NOT_STORABLE', message, retryable: false } };
}

export function tooLarge(size: number, maxOutputBytes: number): Failure {
  const message = `The output has ${size} bytes; at most ${maxOutputBytes} are allowed (MAX_OUTPUT_BYTES)`;
  return { code: 'OUTPUT_TOO_LARGE', message, retryable: false };
}

function endedRecord({ compiled, label, attempt, startedAt, input, iteration }: Attempt): StepRecord {
  return {
    ...stepRecord(compiled, label, attempt, iteration),
    ...(input ? { input } : {}),
    startedAt: startedAt.toISOString(),
    stoppedAt: new Date().toISOString(),
  };
}
