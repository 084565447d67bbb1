import type { RequestHandler, Response } from 'express';
import { v7 } from 'uuid';
import type { FairPlaces, Reading } from '../../engine/fairness/fairPlaces.ts';
import { mayCall } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { RequestRates } from '../limits/requestRates.ts';
import type { StreamPlaces } from '../limits/streamPlaces.ts';
import type { Route } from '../openapi.ts';
import { EventStream, JsonRows, Page } from '../operation.ts';
import type { OperationTable } from '../operations/table.ts';
import type { Services } from '../services.ts';
import { BrokenOff } from '../streams/eventStream.ts';
import { sendEvents, sendReply, toReply, urlOf } from './answer.ts';
import type { ContractCheck } from './contract.ts';
import { withSealedCursor } from './cursors.ts';
import { type BodyReader, NO_BODY } from './jsonBody.ts';
import { atReadPlace } from './reads.ts';
import { sendRows } from './sendRows.ts';
import { type Call, runStages, type StageResult } from './stage.ts';
import { STAGES } from './stages.ts';

export type AnyOperation = (request: never) => Promise<unknown>;

export interface CallParts {
  route: Route;
  services: Services;
  check: ContractCheck;
  readBody: BodyReader;
  rates: RequestRates;
  reads: FairPlaces;
  streamPlaces: StreamPlaces;
}

/** STAGES → operation → answer. Passes failures to Express. */
export function routeHandler({ operations, ...parts }: CallParts & { operations: OperationTable }): RequestHandler {
  const operation = operationOf(operations, parts.route);
  return answeredBy(parts, (call) => operate(operation, call));
}

export function operationOf(operations: OperationTable, { operationId }: Pick<Route, 'operationId'>): AnyOperation {
  const operation = operations[operationId as keyof OperationTable] as AnyOperation | undefined;
  if (!operation) throw new Error(`openapi.yaml names ${operationId}, but no operation serves it`);
  return operation;
}

export function answeredBy(parts: CallParts, answer: (call: Call) => Promise<StageResult>): RequestHandler {
  const { route, services } = parts;
  return async (request, response) => {
    const { requestId } = response.locals;
    response.locals.operation = route.operationId;
    const call: Call = {
      ...parts,
      ...NO_BODY,
      request,
      response,
      requestId,
      signal: goneSignal(response),
      caller: undefined,
      params: {},
      query: {},
      resourceId: v7(),
      isRepeated: false,
      idempotencyKey: headerOf(request.headers['idempotency-key']),
      expected: undefined,
      auditDetails: {},
      answered: undefined,
      isRecorded: false,
    };
    const news = services.openStreams.news;
    const outcome = await runStages(STAGES, call, () => answer(call));
    if (outcome instanceof EventStream) {
      endWhenRevoked(call, outcome, news);
      countOpen(call);
      sendEvents(response, outcome, (error) =>
        services.log[error instanceof BrokenOff ? 'info' : 'error'](
          { err: error, requestId },
          'an event stream failed',
        ),
      );
    } else if (outcome instanceof JsonRows) {
      await sendRows(response, route.successStatus, outcome, (error) =>
        services.log.error({ err: error, requestId }, 'an answer failed'),
      );
    } else sendReply(response, outcome);
  };
}

/** Revoking a key, session, membership or grant ends its streams in every process. */
function endWhenRevoked({ caller, route, response, services }: Call, stream: EventStream, news: number): void {
  if (!caller) return;
  const forget = services.openStreams.add(
    {
      caller,
      isAllowed: (now) => mayCall(route, now) && stream.isAllowed(now),
      end() {
        stream.events.unpipe(response);
        response.end();
      },
    },
    news,
  );
  response.once('close', forget);
  // Its `close` event has already fired.
  if (response.destroyed) forget();
}

function countOpen({ response, services }: Call): void {
  if (response.destroyed) return;
  services.metrics.add('perdure_streams_open', 1);
  response.once('close', () => services.metrics.add('perdure_streams_open', -1));
}

/** Node joins a repeated header of this name. */
function headerOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}

export async function operate(operation: AnyOperation, call: Call): Promise<StageResult> {
  const {
    request,
    route,
    services,
    requestId,
    resourceId,
    isRepeated,
    expected,
    signal,
    caller,
    params,
    query,
    body,
    rawBody,
    auditDetails,
  } = call;
  const known = await knownServices(services, caller);
  const reading: Reading = (read) => atReadPlace(call, read);
  const value = await operation({
    params,
    query,
    body,
    rawBody,
    headers: request.headers,
    method: request.method,
    ip: request.ip ?? '',
    requestId,
    resourceId,
    isRepeated,
    expected,
    auditDetails,
    signal,
    reading,
    services: known,
    ...(caller ? { caller } : {}),
  } as never);
  call.answered = value;
  if (value instanceof EventStream || value instanceof JsonRows) return value;
  return toReply(value instanceof Page ? withSealedCursor(call, value) : value, route.successStatus, () =>
    urlOf(request, services.config.PUBLIC_URL),
  );
}

/** The services with the catalogue of the caller's workspace. */
export async function knownServices(services: Services, caller: Caller | undefined): Promise<Services> {
  const { workspaceId, appsRevision = 0 } = caller ?? {};
  if (workspaceId === undefined || appsRevision === 0) return services;
  return { ...services, catalogue: await services.apps.at(workspaceId, appsRevision) };
}

function goneSignal(response: Response): AbortSignal {
  const controller = new AbortController();
  response.once('close', () => {
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}
