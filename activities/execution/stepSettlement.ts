import { v7 } from 'uuid';
import type { Failure, Outcome } from '../../domain/execution/outcome.ts';
import { planNode } from '../../domain/execution/progress.ts';
import { decideRetry } from '../../domain/execution/retryDecision.ts';
import type { StepRecord } from '../../domain/execution/stepRecord.ts';
import type { Json, JsonObject } from '../../domain/json.ts';
import { storableText, storageProblem } from '../../domain/storableJson.ts';
import type { CompiledDefinition, CompiledNode } from '../../domain/workflow/compile.ts';
import type { ActionResult } from '../apps/executor.ts';

/** An attempt that has ended: what is written, and what the workflow is told. */
export interface Settlement {
  record: StepRecord;
  outcome: Outcome;
}

export interface Attempt {
  compiled: CompiledNode;
  /** In which the step stands (iteration.ts). */
  iteration: string;
  label: string;
  attempt: number;
  startedAt: Date;
  /** Resolved and masked; absent when it could not be resolved. */
  input?: JsonObject;
}

/** The row of a step that begins. */
export function stepRecord(compiled: CompiledNode, label: string, attempt: number, iteration: string): StepRecord {
  const { id, type, appId, actionId } = compiled.node;
  return {
    id: v7(),
    nodeId: id,
    iteration,
    label,
    type,
    ...(appId === undefined ? {} : { appId }),
    ...(actionId === undefined ? {} : { actionId }),
    status: 'RUNNING',
    attempt,
  };
}

/** Rows of remote steps that come next. */
export function queuedRecords(definition: CompiledDefinition, nodeIds: string[], iteration: string): StepRecord[] {
  return nodeIds.flatMap((nodeId) => {
    const compiled = definition.nodes.get(nodeId);
    if (!compiled) return [];
    return [{ ...stepRecord(compiled, planNode(definition.plan, nodeId).label, 1, iteration), status: 'QUEUED' }];
  });
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

/** RETRYING with its time while the policy allows another attempt, else FAILED. */
export function settleFailure(attempt: Attempt, failure: Failure): Settlement {
  const { node } = attempt.compiled;
  const record: StepRecord = {
    ...endedRecord(attempt),
    status: 'FAILED',
    error: { code: failure.code, message: storableText(failure.message), attempt: attempt.attempt },
  };
  const delayMs = decideRetry(node.retry, attempt.attempt, failure);
  if (delayMs === undefined) return { record, outcome: { nodeId: node.id, status: 'FAILED', code: failure.code } };
  const { stoppedAt: _, ...open } = record;
  return {
    record: { ...open, status: 'RETRYING', wakeAt: new Date(Date.now() + delayMs).toISOString() },
    outcome: { nodeId: node.id, status: 'RETRYING', attempt: attempt.attempt, delayMs, code: failure.code },
  };
}

/** What an executor returned, within the limit of a step's output. */
export function settleResult(attempt: Attempt, result: ActionResult, maxOutputBytes: number): Settlement {
  const settlement = settledAs(attempt, result, maxOutputBytes);
  const { console } = result;
  return console
    ? {
        ...settlement,
        record: {
          ...settlement.record,
          console: console.map(({ level, text }) => ({ level, text: storableText(text) })),
        },
      }
    : settlement;
}

function settledAs(attempt: Attempt, result: ActionResult, maxOutputBytes: number): Settlement {
  if (!result.ok) return settleFailure(attempt, result.failure);
  const problem = outputProblem(result.output, maxOutputBytes);
  return problem ? settleFailure(attempt, problem) : settleSuccess(attempt, result.output);
}

export function outputProblem(output: Json, maxOutputBytes: number): Failure | undefined {
  const text = JSON.stringify(output) ?? 'null';
  const size = Buffer.byteLength(text);
  if (size > maxOutputBytes) {
    const message = `The output has ${size} bytes; at most ${maxOutputBytes} are allowed (MAX_OUTPUT_BYTES)`;
    return { code: 'OUTPUT_TOO_LARGE', message, retryable: false };
  }
  const problem = storageProblem(text);
  if (problem === undefined) return undefined;
  return { code: 'OUTPUT_NOT_STORABLE', message: `The output cannot be stored: ${problem}`, retryable: false };
}

function endedRecord({ compiled, label, attempt, startedAt, input, iteration }: Attempt): StepRecord {
  return {
    ...stepRecord(compiled, label, attempt, iteration),
    ...(input ? { input } : {}),
    startedAt: startedAt.toISOString(),
    stoppedAt: new Date().toISOString(),
  };
}
