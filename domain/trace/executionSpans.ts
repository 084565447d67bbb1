import { iterationParts } from '../execution/iteration.ts';
import { type RequestMade, requestRecord } from './requestSpan.ts';
import { attemptSpan, executionSpan, type StepPlace, stepSpan } from './spanIds.ts';
import { failedWith, known, type SpanRecord } from './spanRecord.ts';
import type { Trace } from './trace.ts';

/** Times are epoch milliseconds. */
export interface EndedExecution {
  id: string;
  workspaceId: string;
  trace: string | null;
  name: string;
  number: number;
  workflowId: string | null;
  workflowVersion: number | null;
  startedByType: string;
  status: string;
  errorCode: string | null;
  createdAt: number;
  endedAt: number;
  /** The execution that this one retries, with its trace; null if that was deleted. */
  retryOf: { id: string; trace: string | null } | null;
}

/** A step of an ended execution. `attempts` contains the last 20 of those that were retried. */
export interface TracedStep {
  nodeId: string;
  iteration: string;
  type: string;
  appId: string | null;
  actionId: string | null;
  status: string;
  attempt: number;
  code: string | null;
  queuedAt: number;
  startedAt: number | null;
  stoppedAt: number | null;
  attemptStartedAt: number | null;
  attempts:
    | { attempt: number; startedAt: string; stoppedAt: string; code: string | null; httpStatus: number | null }[]
    | null;
  /** For a step of `http.request` with known inputs: the request of its last attempt. */
  request: RequestMade | null;
  iterationsTotal: number | null;
}

export interface ExecutionPlace {
  /** The parent of its children: the execution's own span. */
  trace: Trace;
  parentSpanId: string | undefined;
  retryOf: Trace | undefined;
}

export function executionRecord(
  { id, workspaceId, name, createdAt, endedAt, errorCode, ...of }: EndedExecution,
  { trace, parentSpanId, retryOf }: ExecutionPlace,
  leftOut: boolean,
): SpanRecord {
  return {
    ...{ name: `execution ${name}`, kind: 'internal', trace, startMs: createdAt, endMs: endedAt },
    ...(parentSpanId === undefined ? {} : { parentSpanId }),
    attributes: known({
      'perdure.execution.id': id,
      'perdure.execution.number': of.number,
      'perdure.execution.status': of.status,
      'perdure.workspace.id': workspaceId,
      'perdure.workflow.id': of.workflowId,
      'perdure.workflow.version': of.workflowVersion,
      'perdure.started_by': of.startedByType,
      'perdure.retry_of.id': of.retryOf?.id,
      'perdure.steps.left_out': leftOut ? true : undefined,
      'error.type': errorCode,
    }),
    ...(of.status === 'COMPLETED' ? {} : failedWith(errorCode ?? of.status)),
    ...(retryOf ? { links: [retryOf] } : {}),
  };
}

/** Types of nodes with attempts; all others decide, wait or contain nodes. */
const TRIED: ReadonlySet<string> = new Set(['action', 'runWorkflow']);

export function stepRecords(execution: EndedExecution, { trace }: ExecutionPlace, step: TracedStep): SpanRecord[] {
  const place = { executionId: execution.id, nodeId: step.nodeId, iteration: step.iteration };
  const spanId = stepSpan(place);
  const endMs = step.stoppedAt ?? execution.endedAt;
  const what = {
    'perdure.execution.id': execution.id,
    'perdure.workspace.id': execution.workspaceId,
    'perdure.node.id': step.nodeId,
    'perdure.node.type': step.type,
    'perdure.app.id': step.appId,
    'perdure.action.id': step.actionId,
    'perdure.iteration': step.iteration === '' ? undefined : step.iteration,
  };
  const record: SpanRecord = {
    ...{ name: `step ${step.nodeId}`, kind: 'internal', trace: { ...trace, spanId } },
    parentSpanId: aroundSpan(place),
    ...between(step.startedAt ?? step.queuedAt, endMs),
    attributes: known({
      ...what,
      'perdure.step.status': step.status,
      'perdure.step.attempts': step.attempt,
      'perdure.loop.iterations': step.iterationsTotal,
      'error.type': step.code,
    }),
    ...(step.status === 'FAILED' ? failedWith(step.code) : {}),
  };
  if (!TRIED.has(step.type) || step.startedAt === null) return [record];
  const tried = [
    ...(step.attempts ?? []).map(({ attempt, startedAt, stoppedAt, code, httpStatus }) => ({
      ...{ attempt, startMs: Date.parse(startedAt), endMs: Date.parse(stoppedAt), code, httpStatus },
    })),
    {
      ...{ attempt: step.attempt, startMs: step.attemptStartedAt ?? step.startedAt, endMs, code: step.code },
      httpStatus: step.request?.httpStatus ?? null,
    },
  ];
  // If the execution ended while the step waited for its next attempt, that attempt has no end of its own.
  const each = new Map(tried.reverse().map((one) => [one.attempt, one]));
  const attempts = [...each.values()].reverse().flatMap(({ attempt, startMs, endMs: stoppedMs, code, httpStatus }) => {
    const attempted: SpanRecord = {
      ...{ name: `attempt ${attempt}`, kind: 'internal', parentSpanId: spanId },
      trace: { ...trace, spanId: attemptSpan(place, attempt) },
      ...between(startMs, stoppedMs),
      attributes: known({ ...what, 'perdure.attempt': attempt, 'error.type': code }),
      ...failedWith(code),
    };
    if (step.request === null) return [attempted];
    const sent = requestRecord(attempted, { ...step.request, httpStatus }, code);
    return sent ? [attempted, sent] : [attempted];
  });
  return [record, ...attempts];
}

function aroundSpan({ executionId, iteration }: StepPlace): string {
  const loop = iterationParts(iteration).at(-1);
  return loop ? stepSpan({ executionId, nodeId: loop.loopId, iteration: loop.parent }) : executionSpan(executionId);
}

/** The clocks of two processes may differ, so the end may precede the beginning. */
function between(startMs: number, endMs: number): { startMs: number; endMs: number } {
  return { startMs: Math.min(startMs, endMs), endMs };
}
