import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { v7 } from 'uuid';

declare global {
  namespace Express {
    interface Locals {
      requestId: string;
      /** The route as openapi.yaml writes it; undefined where none matched. */
      route?: string;
      workspaceId?: string | undefined;
    }
  }
}

/** Characters allowed in log lines and headers. */
const REQUEST_ID = /^[\x21-\x7e]{1,200}$/;

/**
 * Gives each request its id, the caller's own where it sent one, and logs one line at its end: neither body,
 * query, header nor path values, since those hold credentials and data.
 */
export function requestLog(log: Logger): RequestHandler {
  return (request, response, next) => {
    const start = performance.now();
    const sent = request.headers['x-request-id'];
    const requestId = typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : v7();
    response.locals.requestId = requestId;
    response.setHeader('x-request-id', requestId);
    response.once('close', () => {
      const { route, workspaceId } = response.locals;
      log.info(
        {
          requestId,
          method: request.method,
          route,
          status: response.statusCode,
          ms: Math.round((performance.now() - start) * 10) / 10,
          workspaceId,
          ...(response.writableFinished ? {} : { callerGone: true }),
        },
        'request',
      );
    });
    next();
  };
}
