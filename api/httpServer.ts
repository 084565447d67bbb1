import { createServer, type RequestListener, type Server } from 'node:http';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { OncePerPause } from './audit/oncePerPause.ts';
import { endWithConnection } from './endWithConnection.ts';
import { answerClientErrors } from './pipeline/clientErrors.ts';

/** Longer than load balancers and clients keep a connection that nobody uses: none of them meets its end with a request. */
const KEEP_ALIVE_MS = 75_000;
/** How often requests that are late are looked for. */
const LATE_CHECK_MS = 5_000;
const LOG_AGAIN_MS = 60_000;

type Limits = Pick<Config, 'HEADERS_TIMEOUT_MS' | 'BODY_TIMEOUT_MS' | 'BULK_BODY_TIMEOUT_MS' | 'MAX_CONNECTIONS'>;

/** The server of the API, not listening yet: what a connection may cost before, and beside, a request of the app. */
export function createHttpServer(app: RequestListener, limits: Limits, log: Logger): Server {
  const { HEADERS_TIMEOUT_MS: headersTimeout, BODY_TIMEOUT_MS, BULK_BODY_TIMEOUT_MS } = limits;
  const listener: RequestListener = (request, response) => {
    endWithConnection(request, response);
    app(request, response);
  };
  const server = createServer(
    {
      // Answered as a problem by knownHost.
      requireHostHeader: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout,
      // A body has its own clock (jsonBody.ts); this one is for requests that were answered before it had arrived.
      requestTimeout: headersTimeout + Math.max(BODY_TIMEOUT_MS, BULK_BODY_TIMEOUT_MS),
      connectionsCheckingInterval: Math.min(LATE_CHECK_MS, headersTimeout),
    },
    listener,
  );
  server.maxConnections = limits.MAX_CONNECTIONS;
  const logged = new OncePerPause(LOG_AGAIN_MS);
  server.on('drop', () => {
    if (logged.isDue('drop')) log.warn('connections are closed at once: MAX_CONNECTIONS are open');
  });
  // Input that never becomes a request of the app is answered with a problem too; an unknown Expect header is ignored.
  return server
    .on('clientError', answerClientErrors(log, Math.max(0, KEEP_ALIVE_MS - headersTimeout)))
    .on('checkExpectation', listener);
}
