import { createHash } from 'node:crypto';

// Span ids are derived from what the span shows, so a span that is sent twice has the same id.

export interface StepPlace {
  executionId: string;
  /** See iteration.ts; empty at the top level. */
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

export function requestSpan(attemptSpanId: string): string {
  return spanId('request', attemptSpanId);
}

export function turnSpan(runId: string): string {
  return spanId('turn', runId);
}

/** `step` counts from 1. */
export function modelCallSpan(runId: string, step: number): string {
  return spanId('model', runId, step);
}

export function toolCallSpan(runId: string, toolCallId: string): string {
  return spanId('tool', runId, toolCallId);
}
