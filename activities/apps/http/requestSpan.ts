import { requestSpan } from '../../../domain/trace/spanIds.ts';
import { inSpan, traceHere } from '../../../engine/tracing/work.ts';
import type { Executor } from '../executor.ts';

/** What it calls has the span of the request as its parent, which is below the attempt that stands here. */
export function inRequestSpan(executor: Executor): Executor {
  return (call) => {
    const attempt = traceHere();
    const request = () => executor(call);
    return attempt ? inSpan(requestSpan(attempt.spanId), request) : request();
  };
}
