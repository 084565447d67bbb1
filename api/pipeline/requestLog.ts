import type { Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { v7 } from 'uuid';
import { failedWith, known, type SpanRecord } from '../../domain/trace/spanRecord.ts';
import type { Trace } from '../../domain/trace/trace.ts';
import type { Metrics } from '../../engine/metrics/metrics.ts';
import type { SpanSender } from '../../engine/tracing/spanSender.ts';
import { receivedTrace } from '../../engine/tracing/traceHeaders.ts';
import type { Tracing } from '../../engine/tracing/tracing.ts';
import { inWork } from '../../engine/tracing/work.ts';

declare global {
  namespace Express {
    interface Locals {
      requestId: string;
      /** As in openapi.yaml; undefined if none matched. */
      route?: string;
      operation?: string;
      workspaceId?: string | undefined;
    }
  }
}

/** Requested by balancers and supervisors. */
const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz']);
/** Characters allowed in log lines and headers. */
const REQUEST_ID = /^[\x21-\x7e]{1,200}$/;

export interface RequestLogParts {
  log: Logger;
  metrics: Metrics;
  tracing: Tracing;
  spans: SpanSender | undefined;
}

/** Logs one line per request without body, query, headers and path values: these contain credentials and data. */
export function requestLog({ log, metrics, tracing, spans }: RequestLogParts): RequestHandler {
  return (request, response, next) => {
    const start = performance.now();
    const startMs = Date.now();
    const sent = request.headers['x-request-id'];
    const requestId = typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : v7();
    response.locals.requestId = requestId;
    response.setHeader('x-request-id', requestId);
    const caller = receivedTrace(request.headers);
    const trace = tracing.ofRequest(caller);
    response.once('close', () => {
      const { route, workspaceId, operation = 'none' } = response.locals;
      const ms = performance.now() - start;
      metrics.count('perdure_http_requests_total', { operation, status: String(response.statusCode) });
      if (spans && operation !== 'none') spans.sendLater(spanOf(request, response, { trace, caller, startMs }));
      if (!isStream(response)) metrics.observe('perdure_http_request_duration_seconds', ms / 1_000);
      // Balancers probe every few seconds, so only failures are logged at info.
      const isProbe = PROBES.has(request.path);
      log[isProbe && response.statusCode < 400 ? 'debug' : 'info'](
        {
          requestId,
          traceId: trace.traceId,
          method: request.method,
          route: route ?? (isProbe ? request.path : undefined),
          status: response.statusCode,
          ms: Math.round(ms * 10) / 10,
          workspaceId,
          ...(response.writableFinished ? {} : { callerGone: true }),
        },
        'request',
      );
    });
    inWork({ trace }, next);
  };
}

/** Omits path values and query, which contain credentials and data. */
function spanOf(
  { method }: Request,
  { locals, statusCode }: Response,
  { trace, caller, startMs }: { trace: Trace; caller: Trace | undefined; startMs: number },
): SpanRecord {
  return {
    ...{ name: locals.operation ?? method, kind: 'server', trace, startMs, endMs: Math.max(Date.now(), startMs) },
    ...(caller ? { parentSpanId: caller.spanId } : {}),
    attributes: known({
      'http.request.method': method,
      'http.route': locals.route,
      'http.response.status_code': statusCode,
      'perdure.workspace.id': locals.workspaceId,
    }),
    ...failedWith(statusCode >= 500 ? String(statusCode) : undefined),
  };
}

function isStream(response: Response): boolean {
  return String(response.getHeader('content-type') ?? '').startsWith('text/event-stream');
}
