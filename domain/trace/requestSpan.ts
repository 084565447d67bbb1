import { portOf } from '../portOf.ts';
import { requestSpan } from './spanIds.ts';
import { failedWith, known, type SpanRecord } from './spanRecord.ts';

/** What an attempt of `http.request` sent, as its row has it, secrets masked. */
export interface RequestMade {
  method: string;
  /** Scheme, host and port of the address, without path and query. Null where it is not an http address. */
  origin: string | null;
  /** Of the answer; null where none came. */
  httpStatus: number | null;
}

/** Failures after which something may have been sent; of all others it is certain that nothing was. */
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

/**
 * The request of an attempt, with its redirects: a client's span, named as OpenTelemetry's conventions have it. Undefined
 * where the attempt ended, by `code`, before it sent anything.
 */
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

/** None where it holds a name or a password, which such a step never sends. */
function serverOf(origin: string | null): Record<string, string | number> {
  if (origin === null || !URL.canParse(origin)) return {};
  const url = new URL(origin);
  if (url.username !== '' || url.password !== '') return {};
  return { 'server.address': url.hostname, 'server.port': Number(portOf(url)) };
}
