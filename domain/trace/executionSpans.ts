import { iterationParts } from '../execution/iteration.ts';
import { type RequestMade, requestRecord } from './requestSpan.ts';
import { attemptSpan, executionSpan, type StepPlace, stepSpan } from './spanIds.ts';
import { failedWith, known, type SpanRecord } from './spanRecord.ts';
import type { Trace } from './trace.ts';

/** An execution that has ended. Times are epoch milliseconds. */
export interface EndedExecution {
  id: string;
  workspaceId: string;
  /** As its row has it (trace.ts). */
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
  /** The execution of which it is a retry, where that is still there, and its trace. */
  retryOf: { id: string; trace: string | null } | null;
}

/** A step of one. `attempts` are those that another one followed, the last 20 of them. */
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
  /** Of a step of `http.request` whose inputs were known: what its last attempt sent. */
  request: RequestMade | null;
  iterationsTotal: number | null;
}

/** Where an execution stands in its trace. */
export interface ExecutionPlace {
  /** Inside of it: its own span. */
  trace: Trace;
  /** Undefined: nothing began it. */
  parentSpanId: string | undefined;
  /** Of the execution before it. */
  retryOf: Trace | undefined;
}

/** `leftOut`: it has more steps than are sent. */
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

/** Types of nodes that do something, perhaps several times; all others decide, wait or contain. */
const TRIED: ReadonlySet<string> = new Set(['action', 'runWorkflow']);

/** A step, and its attempts below it. */
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
  // One that waited for its next attempt when the execution ended has no other.
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

/** The loop in whose iteration it stands, or the execution. */
function aroundSpan({ executionId, iteration }: StepPlace): string {
  const loop = iterationParts(iteration).at(-1);
  return loop ? stepSpan({ executionId, nodeId: loop.loopId, iteration: loop.parent }) : executionSpan(executionId);
}

/** Begin and end may be by the clocks of two processes. */
function between(startMs: number, endMs: number): { startMs: number; endMs: number } {
  return { startMs: Math.min(startMs, endMs), endMs };
}
