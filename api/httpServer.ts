import { createServer, type RequestListener, type Server } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { KeyThrottle } from './audit/keyThrottle.ts';
import { endWithConnection } from './endWithConnection.ts';
import { answerClientErrors } from './pipeline/clientErrors.ts';

/** Longer than load balancers and clients keep unused connections, so that a close never crosses a request. */
const KEEP_ALIVE_MS = 75_000;
const LATE_CHECK_MS = 5_000;
const LOG_AGAIN_MS = 60_000;

type Limits = Pick<Config, 'HEADERS_TIMEOUT_MS' | 'BODY_TIMEOUT_MS' | 'BULK_BODY_TIMEOUT_MS' | 'MAX_CONNECTIONS'>;

/** Does not listen. Limits what a connection may cost outside requests of the app. */
export function createHttpServer(app: RequestListener, limits: Limits, log: Logger): Server {
  const { HEADERS_TIMEOUT_MS: headersTimeout, BODY_TIMEOUT_MS, BULK_BODY_TIMEOUT_MS } = limits;
  const listener: RequestListener = (request, response) => {
    endWithConnection(request, response);
    app(request, response);
  };
  const server = createServer(
    {
      // knownHost answers a missing Host with a problem.
      requireHostHeader: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout,
      // Bodies have their own timeout (jsonBody.ts); this one covers requests answered before their body arrived.
      requestTimeout: headersTimeout + Math.max(BODY_TIMEOUT_MS, BULK_BODY_TIMEOUT_MS),
      connectionsCheckingInterval: Math.min(LATE_CHECK_MS, headersTimeout),
    },
    listener,
  );
  server.maxConnections = limits.MAX_CONNECTIONS;
  const logged = new KeyThrottle(LOG_AGAIN_MS);
  server.on('drop', () => {
    if (logged.isDue('drop')) log.warn('connections are closed at once: MAX_CONNECTIONS are open');
  });
  // Input that never becomes a request is answered with a problem; an unknown Expect header is ignored.
  return server
    .on('clientError', answerClientErrors(log, Math.max(0, KEEP_ALIVE_MS - headersTimeout)))
    .on('checkExpectation', listener);
}
