import type { Request, RequestHandler, Response } from 'express';
import { v7 } from 'uuid';
import { Problem } from '../../domain/problem.ts';
import { authenticate } from '../access/authenticate.ts';
import { authorize } from '../access/authorize.ts';
import type { Route } from '../openapi.ts';
import { EventStream } from '../operation.ts';
import type { OperationTable } from '../operations/table.ts';
import type { Services } from '../services.ts';
import { sendEvents, sendReply, toReply, urlOf } from './answer.ts';
import type { ContractCheck } from './contract.ts';
import { answerOnce } from './idempotency.ts';
import { type BodyReader, NO_BODY } from './jsonBody.ts';

/** What the table holds, once the contract has checked the request: its types are openapi.yaml's. */
type AnyOperation = (request: never) => Promise<unknown>;

export interface RouteParts {
  route: Route;
  operations: OperationTable;
  services: Services;
  check: ContractCheck;
  readBody: BodyReader;
}

/** credential → body → contract → permission → idempotency → operation → answer. Failures go on to Express. */
export function routeHandler({ route, operations, services, check, readBody }: RouteParts): RequestHandler {
  const operation = operations[route.operationId as keyof OperationTable] as AnyOperation | undefined;
  if (!operation) throw new Error(`openapi.yaml names ${route.operationId}, and no operation serves it`);
  return async (request, response) => {
    const { requestId } = response.locals;
    const caller = route.isPublic ? undefined : await authenticate(services, request.headers);
    response.locals.workspaceId = caller?.workspaceId;
    const { body, rawBody } = route.hasBody ? await readBody(request, response) : NO_BODY;
    const checked = await check({ url: request.originalUrl, headers: request.headers, body });
    if (caller) authorize(route, caller);

    const given = {
      ...checked,
      headers: request.headers,
      rawBody,
      method: request.method,
      ip: request.ip ?? '',
      requestId,
      resourceId: v7(),
      signal: goneSignal(response),
      services,
      ...(caller ? { caller } : {}),
    };
    const pageUrl = () => urlOf(request, services.config.PUBLIC_URL);
    const run = async (resourceId: string) =>
      toReply(await operation({ ...given, resourceId } as never), route.successStatus, pageUrl);

    const key = keyOf(route, request);
    if (caller && key !== undefined) {
      const { operationId: operation, isSecretAnswer: isSecret } = route;
      const scope = { workspaceId: caller.workspaceId, operation, key, isSecret };
      sendReply(response, await answerOnce(given, scope, run));
      return;
    }
    const value = await operation(given as never);
    if (value instanceof EventStream) {
      sendEvents(response, value, (error) =>
        services.log.error({ err: error, requestId }, 'an event stream broke off'),
      );
    } else sendReply(response, toReply(value, route.successStatus, pageUrl));
  };
}

function keyOf(route: Route, request: Request): string | undefined {
  const key = request.headers['idempotency-key'];
  if (route.isStream && key !== undefined) {
    throw new Problem('VALIDATION_FAILED', 'An event stream takes no Idempotency-Key: it cannot be given again', {
      errors: [{ path: 'headers.idempotency-key', message: 'not of an event stream' }],
    });
  }
  return route.takesIdempotencyKey && typeof key === 'string' ? key : undefined;
}

/** Aborted when the caller goes away before the answer is written. */
function goneSignal(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
