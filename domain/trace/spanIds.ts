import { createHash } from 'node:crypto';

// Ids of spans follow from what they show: whoever sends one, and however often, it is the same span.

/** A step, by its place. */
export interface StepPlace {
  executionId: string;
  /** iteration.ts; an empty text at the top. */
  iteration: string;
  nodeId: string;
}

function spanId(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
}

export function executionSpan(executionId: string): string {
  return spanId('execution', executionId);
}

export function stepSpan({ executionId, iteration, nodeId }: StepPlace): string {
  return spanId('step', executionId, iteration, nodeId);
}

export function attemptSpan({ executionId, iteration, nodeId }: StepPlace, attempt: number): string {
  return spanId('attempt', executionId, iteration, nodeId, attempt);
}

/** The request that an attempt of `http.request` sends, by the attempt's span. */
export function requestSpan(attemptSpanId: string): string {
  return spanId('request', attemptSpanId);
}

export function turnSpan(runId: string): string {
  return spanId('turn', runId);
}

/** `step` counts the model calls of a turn from 1. */
export function modelCallSpan(runId: string, step: number): string {
  return spanId('model', runId, step);
}

export function toolCallSpan(runId: string, toolCallId: string): string {
  return spanId('tool', runId, toolCallId);
}
