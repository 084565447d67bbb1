import { v7 } from 'uuid';
import type { JsonObject } from '../../domain/json.ts';
import { Problem, type ProblemCode, type ProblemDetail } from '../../domain/problem.ts';
import type { Route } from '../openapi.ts';
import type { OperationTable } from '../operations/table.ts';
import type { Services } from '../services.ts';
import { access, act } from './audit.ts';
import { operate, operationOf } from './handle.ts';
import { NO_BODY } from './jsonBody.ts';
import { Reply } from './reply.ts';
import { type Call, runStages, type Stage } from './stage.ts';
import { once, permission } from './stages.ts';

export interface InnerRequest {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: JsonObject;
  idempotencyKey?: string | undefined;
  /** Id of what it creates; default: a new one. */
  resourceId?: string;
  /** Default: those of the outer call. */
  services?: Services;
}

/** Runs another operation within a request; its body must fit the contract. Throws the operation's Problem. */
export type InnerCall = (call: Call, operationId: keyof OperationTable, request: InnerRequest) => Promise<JsonObject>;

/** The credential was read and the request was counted by the outer call. */
const INNER_STAGES: readonly Stage[] = [access, permission, once, act];

export function innerCalls(routes: readonly Route[], operations: OperationTable): InnerCall {
  const byId = new Map(routes.map((route) => [route.operationId as string, route]));
  return async (outer, operationId, { params = {}, query = {}, body, ...given }) => {
    const route = byId.get(operationId);
    if (!route) throw new Error(`openapi.yaml has no operation ${operationId}`);
    const operation = operationOf(operations, route);
    const call: Call = {
      ...{ ...outer, ...NO_BODY, route, params, query, body },
      services: given.services ?? outer.services,
      idempotencyKey: given.idempotencyKey,
      resourceId: given.resourceId ?? v7(),
      isRepeated: false,
      expected: undefined,
      auditDetails: {},
      answered: undefined,
      isRecorded: false,
    };
    const result = await runStages(INNER_STAGES, call, () => operate(operation, call));
    if (!(result instanceof Reply)) throw new Error(`${operationId} answers with a stream`);
    return jsonOf(result);
  };
}

/** A kept refusal is replayed as an answer. */
function jsonOf({ status, body }: Reply): JsonObject {
  const value = body === undefined ? {} : JSON.parse(String(body));
  if (status < 400) return value;
  const { code, detail, errors } = value as { code: ProblemCode; detail: string; errors?: ProblemDetail[] };
  throw new Problem(code, detail, errors ? { errors } : {});
}
