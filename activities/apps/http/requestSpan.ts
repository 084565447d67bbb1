import { requestSpan } from '../../../domain/trace/spanIds.ts';
import { inSpan, traceHere } from '../../../engine/tracing/work.ts';
import type { Executor } from '../executor.ts';

/** Makes the request's span, a child of the attempt's, the parent of everything that is called. */
export function inRequestSpan(executor: Executor): Executor {
  return (call) => {
    const attempt = traceHere();
    const request = () => executor(call);
    return attempt ? inSpan(requestSpan(attempt.spanId), request) : request();
  };
}
