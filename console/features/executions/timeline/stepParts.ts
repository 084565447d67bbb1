import type { ExecutionStep } from '../queries/executions.ts';
import type { Span } from './timeAxis.ts';

/**
 * `between`: the time between two attempts. `unknown`: the first of more than 20 attempts, or an action that now waits,
 * since nothing records when its wait began.
 */
export type PartKind = 'attempt' | 'failed' | 'between' | 'waits' | 'unknown';

export interface StepPart extends Span {
  kind: PartKind;
  /** The attempt, or the one that follows. */
  attempt: number;
  error?: string;
}

export type TimedStep = Pick<
  ExecutionStep,
  'appId' | 'status' | 'attempt' | 'startedAt' | 'stoppedAt' | 'attempts' | 'iterations'
>;

const WAITING_NODES: ReadonlySet<string> = new Set(['delay', 'input']);

/** Splits the time of a step into its parts, in order. `nodeType` is undefined if the definition is not known. */
export function partsOf(step: TimedStep, nodeType: string | undefined, now: number): StepPart[] {
  if (step.startedAt === null) return [];
  const end = timeOf(step.stoppedAt, now);
  const parts: StepPart[] = [];
  let at = Date.parse(step.startedAt);
  for (const { attempt, startedAt, stoppedAt, error } of step.attempts) {
    const from = timeOf(startedAt, at);
    const to = timeOf(stoppedAt, end);
    if (from > at) parts.push({ kind: parts.length === 0 ? 'unknown' : 'between', from: at, to: from, attempt });
    const kind = workOf(step, nodeType, { isOpen: stoppedAt === null, hasFailed: error !== undefined });
    parts.push({ kind, from, to, attempt, ...(error === undefined ? {} : { error: error.code }) });
    at = to;
  }
  if (parts.length === 0) {
    const kind = workOf(step, nodeType, { isOpen: step.stoppedAt === null, hasFailed: step.status === 'FAILED' });
    parts.push({ kind, from: at, to: end, attempt: step.attempt });
  } else if (end > at) parts.push({ kind: 'between', from: at, to: end, attempt: step.attempt + 1 });
  return parts;
}

function workOf(
  { status, appId, iterations }: TimedStep,
  nodeType: string | undefined,
  { isOpen, hasFailed }: { isOpen: boolean; hasFailed: boolean },
): PartKind {
  if (nodeType !== undefined && WAITING_NODES.has(nodeType)) return 'waits';
  if (hasFailed) return 'failed';
  const isWaiting = isOpen && (status === 'WAITING' || status === 'NEEDS_INPUT');
  // A waiting loop has worked between its iterations.
  if (!isWaiting || iterations !== undefined) return 'attempt';
  return appId === null ? 'waits' : 'unknown';
}

function timeOf(text: string | null, otherwise: number): number {
  return text === null ? otherwise : Date.parse(text);
}
