import type { WireCall } from '../../../domain/app/wireCall.ts';
import { traceparentOf } from '../../../domain/trace/trace.ts';
import { traceHere } from '../../../engine/tracing/work.ts';
import type { ActionCall } from '../executor.ts';
import { stepOf } from '../executor.ts';

/** Returns the argument of an action that runs outside Perdure. */
export function wireCallOf<Connection>(
  { inputs, origin, attempt, idempotencyKey }: ActionCall,
  connection: Connection | undefined,
): WireCall<Connection> {
  const { executionId } = stepOf(origin);
  const trace = traceHere();
  const call = {
    ...{ executionId, stepId: origin?.stepId ?? '', attempt, idempotencyKey },
    ...(trace ? { traceparent: traceparentOf(trace) } : {}),
    ...(connection === undefined ? {} : { connection }),
  };
  return { inputs, call };
}
