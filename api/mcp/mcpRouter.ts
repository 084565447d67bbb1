import { type RequestHandler, Router } from 'express';
import type { Config } from '../../config.ts';
import { Problem } from '../../domain/problem.ts';
import type { Caller } from '../access/caller.ts';
import type { McpSession } from '../access/token.ts';
import { methodNotAllowed } from '../methodNotAllowed.ts';
import type { Route } from '../openapi.ts';
import { Answer, EventStream } from '../operation.ts';
import { toReply } from '../pipeline/answer.ts';
import { answeredBy, type CallParts, knownServices } from '../pipeline/handle.ts';
import type { InnerCall } from '../pipeline/innerCall.ts';
import type { Call, StageResult } from '../pipeline/stage.ts';
import { answerMcp } from './answerMcp.ts';
import { SESSION_HEADER, sessionOf } from './mcpSession.ts';
import { challenging, resourceMetadata } from './resourceMetadata.ts';

const PATH = '/mcp';

/** The operation in logs, metrics and the audit log; not in openapi.yaml, which cannot describe the protocol. */
const ROUTE = {
  operationId: 'callMcp',
  method: 'post',
  path: PATH,
  isPublic: false,
  permissions: undefined,
  resource: undefined,
  rowIds: [],
  successStatus: 200,
  hasBody: true,
  takesIdempotencyKey: false,
  isStream: true,
  isSecretAnswer: false,
  showsSteps: false,
  isBulk: false,
  hasSmallBody: false,
  keepsIntegers: false,
  takesRawBody: false,
  isNoRead: false,
  takesIfMatch: false,
  hasETag: false,
} as unknown as Route;

/** The stream of changes of the list of tools. */
const STREAM_ROUTE: Route = { ...ROUTE, method: 'get', hasBody: false, isNoRead: true };

export interface McpParts extends Omit<CallParts, 'route' | 'check'> {
  inner: InnerCall;
}

/** The MCP server, by the same stages as the API. Each tool call is an operation of its own within the request. */
export function mcpRouter({ inner, ...parts }: McpParts): Router {
  const { services } = parts;
  const check = async ({ body }: { body: unknown }) => ({ params: {}, query: {}, body });
  const { PUBLIC_URL } = services.config;
  const answered: typeof answeredBy = (...given) => challenging(PUBLIC_URL, answeredBy(...given));
  const post = answered({ ...parts, check, route: ROUTE }, (call) => answer(call, inner));
  const stream = answered({ ...parts, check, route: STREAM_ROUTE }, async (call) => {
    requireEventStream(call);
    return new EventStream(services.mcpStreams.follow(callerOf(call).workspaceId));
  });
  const refuse = methodNotAllowed(['GET', 'POST']);
  const router = Router();
  router.use(resourceMetadata(PUBLIC_URL));
  const name: RequestHandler = (_request, response, next) => {
    response.locals.route = PATH;
    next();
  };
  router.route(PATH).all(name, ownOrigin(services.config)).head(refuse).get(stream).post(post).all(refuse);
  return router;
}

async function answer(call: Call, inner: InnerCall): Promise<StageResult> {
  const { signal, body } = call;
  const caller = callerOf(call);
  const services = await knownServices(call.services, caller);
  const session = sessionIn(call);
  const value = await answerMcp(
    {
      ...{ caller, services, session, signal },
      operate: (operationId, given) => inner(call, operationId, given),
    },
    protocolHeaders(call),
    body,
  );
  return value instanceof Answer
    ? toReply(value, ROUTE.successStatus, () => new URL(PATH, 'http://perdure.invalid'))
    : value;
}

const PROTOCOL_HEADERS = ['accept', 'content-type', 'mcp-protocol-version'];

function protocolHeaders({ request: { headers } }: Call): Record<string, string> {
  return Object.fromEntries(
    PROTOCOL_HEADERS.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  );
}

function callerOf({ caller }: Call): Caller {
  if (!caller) throw new Error('the stage credential has set no caller');
  return caller;
}

function sessionIn(call: Call): McpSession | undefined {
  const token = call.request.headers[SESSION_HEADER];
  return sessionOf(call.services, callerOf(call), typeof token === 'string' ? token : undefined);
}

function requireEventStream(call: Call): void {
  sessionIn(call);
  if (/\btext\/event-stream\b/.test(call.request.headers.accept ?? '')) return;
  throw new Problem('VALIDATION_FAILED', 'A GET opens the stream of notifications: send Accept: text/event-stream', {
    errors: [{ path: 'Accept', message: 'expected text/event-stream' }],
  });
}

/** MCP demands it against DNS rebinding. Clients that are no browser send no Origin. */
function ownOrigin({ PUBLIC_URL, CLIENT_URL, CORS_ALLOWED_ORIGINS }: Config): RequestHandler {
  const own = [PUBLIC_URL, CLIENT_URL].flatMap((url) => (url === undefined ? [] : [new URL(url).origin]));
  const allowed = new Set([...own, ...CORS_ALLOWED_ORIGINS]);
  return ({ headers: { origin } }, _response, next) => {
    if (origin !== undefined && !allowed.has(origin)) {
      throw new Problem('FORBIDDEN', 'Pages of this origin may not call the MCP server: see CORS_ALLOWED_ORIGINS');
    }
    next();
  };
}
