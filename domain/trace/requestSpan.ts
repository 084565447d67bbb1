import { portOf } from '../portOf.ts';
import { requestSpan } from './spanIds.ts';
import { failedWith, known, type SpanRecord } from './spanRecord.ts';

/** The request of an attempt of `http.request`, as stored in its row with masked secrets. */
export interface RequestMade {
  method: string;
  /** Scheme, host and port without path and query. Null if it is not an http address. */
  origin: string | null;
  /** Null if no response arrived. */
  httpStatus: number | null;
}

/** Failures after which the request may have been sent. After all others it was certainly not. */
const SENT: ReadonlySet<string> = new Set([
  'HTTP_STATUS',
  'HTTP_TIMEOUT',
  'HTTP_CONNECTION_FAILED',
  'HTTP_INVALID_RESPONSE',
  'HTTP_RESPONSE_TOO_LARGE',
  'HTTP_TOO_MANY_REDIRECTS',
  'TIMEOUT',
  'OUTPUT_TOO_LARGE',
  'WORKER_LOST',
]);

/** Follows OpenTelemetry's names. Undefined if the attempt ended with `code` before it sent anything. */
export function requestRecord(
  attempt: SpanRecord,
  { method, origin, httpStatus }: RequestMade,
  code: string | null,
): SpanRecord | undefined {
  if (code !== null && !SENT.has(code)) return undefined;
  const parentSpanId = attempt.trace.spanId;
  return {
    ...{ name: method, kind: 'client', parentSpanId, startMs: attempt.startMs, endMs: attempt.endMs },
    trace: { ...attempt.trace, spanId: requestSpan(parentSpanId) },
    attributes: known({
      'http.request.method': method,
      ...serverOf(origin),
      'http.response.status_code': httpStatus,
      'error.type': code,
    }),
    ...failedWith(code),
  };
}

/** Returns nothing for an address with a name or password, which such a step never sends. */
function serverOf(origin: string | null): Record<string, string | number> {
  if (origin === null || !URL.canParse(origin)) return {};
  const url = new URL(origin);
  if (url.username !== '' || url.password !== '') return {};
  return { 'server.address': url.hostname, 'server.port': Number(portOf(url)) };
}
