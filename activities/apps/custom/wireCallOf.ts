import type { WireCall } from '../../../domain/app/wireCall.ts';
import { traceparentOf } from '../../../domain/trace/trace.ts';
import { traceHere } from '../../../engine/tracing/work.ts';
import type { ActionCall } from '../executor.ts';
import { stepOf } from '../executor.ts';

/** Returns the argument of an action that runs outside Perdure, without a connection. */
export function wireCallOf({ inputs, origin, attempt, idempotencyKey }: ActionCall): WireCall {
  const { executionId } = stepOf(origin);
  const trace = traceHere();
  const call = { executionId, stepId: origin?.stepId ?? '', attempt, idempotencyKey };
  return { inputs, call: trace ? { ...call, traceparent: traceparentOf(trace) } : call };
}
