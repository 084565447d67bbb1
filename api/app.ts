import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { Problem } from '../domain/problem.ts';
import { FairPlaces } from '../engine/fairness/fairPlaces.ts';
import { consoleRouter } from './console.ts';
import { docsRouter } from './docs.ts';
import { healthRouter } from './health.ts';
import { createRequestRates, type RequestRates } from './limits/requestRates.ts';
import { StreamPlaces } from './limits/streamPlaces.ts';
import { mcpRouter } from './mcp/mcpRouter.ts';
import { methodNotAllowed } from './methodNotAllowed.ts';
import { expressPath, type OpenApiDocument, type Route, readOpenApi, routesOf } from './openapi.ts';
import { OPERATIONS, type OperationTable, PUBLIC_OPERATIONS } from './operations/table.ts';
import { sendReply } from './pipeline/answer.ts';
import { crossOrigin, securityHeaders } from './pipeline/browser.ts';
import { contractCheck } from './pipeline/contract.ts';
import { routeHandler } from './pipeline/handle.ts';
import { knownHost, originForm } from './pipeline/host.ts';
import { innerCalls } from './pipeline/innerCall.ts';
import { bodyReader, rawBodyReader } from './pipeline/jsonBody.ts';
import { problemReply, toProblem } from './pipeline/problem.ts';
import { addressRate } from './pipeline/rates.ts';
import { requestLog } from './pipeline/requestLog.ts';
import { type WebhookHost, webhookHost } from './pipeline/webhookHost.ts';
import { servedDocument } from './servedDocument.ts';
import type { Services } from './services.ts';

/** Does not listen. Throws if openapi.yaml and the operations disagree. */
export function buildApp(
  services: Services,
  operations: OperationTable = OPERATIONS,
  readDocument: () => OpenApiDocument = readOpenApi,
): Express {
  const { config } = services;
  const document = readDocument();
  const served = servedDocument(readDocument(), config.PUBLIC_URL);
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', trustProxy(config.TRUST_PROXY));
  app.set('query parser', false);
  app.use(originForm, requestLog(services));
  app.use(securityHeaders(config.PUBLIC_URL), crossOrigin(config.CORS_ALLOWED_ORIGINS));
  const rates = createRequestRates(config);
  const webhooks = webhookHost(config);
  app.use(knownHost, healthRouter(services));
  app.use(webhooks.outside(docsRouter(served)), webhooks.outside(consoleRouter(config)), addressRate(rates));
  addRoutes(app, document, operations, services, { rates, webhooks });
  app.use(() => {
    throw new Problem('NOT_FOUND', 'There is nothing under this path; /docs lists the operations');
  });
  app.use(problemHandler(services));
  return app;
}

/** Login requests are small, so strangers cannot send a megabyte. */
const SMALL_BODY_BYTES = 65_536;

function addRoutes(
  app: Express,
  document: OpenApiDocument,
  operations: OperationTable,
  services: Services,
  { rates, webhooks }: { rates: RequestRates; webhooks: WebhookHost },
): void {
  const { config } = services;
  const { MAX_BULK_BODY_BYTES, BULK_BODY_TIMEOUT_MS, MAX_BODY_DEPTH, READS_AT_ONCE, DATABASE_POOL_SIZE } = config;
  const plain = { bytes: config.MAX_BODY_BYTES, timeoutMs: config.BODY_TIMEOUT_MS };
  const reads = new FairPlaces(READS_AT_ONCE ?? DATABASE_POOL_SIZE);
  const streamPlaces = new StreamPlaces(config);
  const read = {
    plain: bodyReader({ ...plain, depth: MAX_BODY_DEPTH }),
    exact: bodyReader({ ...plain, depth: MAX_BODY_DEPTH, keepsIntegers: true }),
    bulk: bodyReader({ bytes: MAX_BULK_BODY_BYTES, timeoutMs: BULK_BODY_TIMEOUT_MS, depth: MAX_BODY_DEPTH }),
    small: bodyReader({ ...plain, bytes: Math.min(SMALL_BODY_BYTES, plain.bytes), depth: MAX_BODY_DEPTH }),
    raw: rawBodyReader(plain),
    content: rawBodyReader({ bytes: config.MAX_APP_CONTENT_BYTES, timeoutMs: BULK_BODY_TIMEOUT_MS }),
  };
  const routes = routesOf(document);
  comparePublic(routes);
  const common = { services, rates, reads, streamPlaces };
  const inner = innerCalls(routes, operations);
  app.use(webhooks.outside(mcpRouter({ ...common, inner, readBody: read.plain })));
  for (const [path, group] of byPath(routes)) {
    // One entry of the router compiles one matcher; app.all() would make one for each method.
    const entry = app.route(expressPath(path));
    const name: RequestHandler = (_request, response, next) => {
      response.locals.route = path;
      next();
    };
    entry.all(name, webhooks.guard(path), noStrangeText);
    const refuse = methodNotAllowed(group.map(({ method }) => method.toUpperCase()));
    for (const route of group) {
      const check = contractCheck(document, route);
      const readBody = read[bodyOf(route)];
      // Express answers HEAD with the handler of GET.
      if (route.isNoRead) entry.head(refuse);
      entry[route.method](routeHandler({ ...common, route, operations, check, readBody }));
    }
    entry.all(refuse);
  }
}

function bodyOf({
  takesRawBody,
  isBulk,
  hasSmallBody,
  keepsIntegers,
}: Route): 'raw' | 'content' | 'bulk' | 'small' | 'exact' | 'plain' {
  if (takesRawBody) return isBulk ? 'content' : 'raw';
  if (keepsIntegers) return 'exact';
  if (isBulk) return 'bulk';
  return hasSmallBody ? 'small' : 'plain';
}

function byPath(routes: Route[]): Map<string, Route[]> {
  const groups = new Map<string, Route[]>();
  for (const route of routes) groups.set(route.path, [...(groups.get(route.path) ?? []), route]);
  return groups;
}

/** The types say which operations get a caller; openapi.yaml must agree. */
function comparePublic(routes: Route[]): void {
  const documented = routes.filter((route) => route.isPublic).map((route) => route.operationId);
  const typed = new Set<string>(PUBLIC_OPERATIONS);
  const differing = [
    ...documented.filter((id) => !typed.has(id)),
    ...[...typed].filter((id) => !documented.some((other) => other === id)),
  ];
  if (differing.length > 0) throw new Error(`public in one of openapi.yaml and PUBLIC_OPERATIONS only: ${differing}`);
}

/** Postgres cannot store NUL in text. */
const noStrangeText: RequestHandler = (request, _response, next) => {
  if (request.originalUrl.includes('%00')) {
    throw new Problem('VALIDATION_FAILED', 'The URL contains a NUL character (%00)');
  }
  next();
};

function problemHandler({ log }: Services): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => {
    const problem = toProblem(error);
    const { requestId } = response.locals;
    // Ids and codes of an execution, a turn or a failed embedding.
    const { executionId, taskId, runId, reason } = problem.members ?? {};
    const about = { err: problem.cause, requestId, executionId, taskId, runId, reason };
    if (problem.code === 'INTERNAL') log.error(about, problem.code);
    else if (problem.status >= 500) log.warn(about, problem.code);
    // A stream that has begun cannot become a problem.
    if (response.headersSent) response.destroy();
    else sendReply(response, problemReply(problem, requestId));
  };
}

/** Express distinguishes numbers and booleans from lists of addresses. */
function trustProxy(text: string): boolean | number | string {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d+$/.test(text) ? Number(text) : text;
}
