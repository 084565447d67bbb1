import { mayDoAnyStep } from '../../domain/access/stepPermissions.ts';
import { isGrantOnly } from '../../domain/access/viewer.ts';
import { Problem } from '../../domain/problem.ts';
import { authenticate } from '../access/authenticate.ts';
import { authorize } from '../access/authorize.ts';
import { access, act } from './audit.ts';
import { conditional } from './conditional.ts';
import { cursor } from './cursors.ts';
import { answerOnce } from './idempotency.ts';
import { NO_BODY } from './jsonBody.ts';
import { rate, streamPlace } from './rates.ts';
import { fairRead } from './reads.ts';
import { requireRowIds } from './rowIds.ts';
import type { Stage } from './stage.ts';

const credential: Stage = async (call, next) => {
  if (!call.route.isPublic) call.caller = await authenticate(call.services, call.request.headers);
  call.response.locals.workspaceId = call.caller?.workspaceId;
  return next();
};

const body: Stage = async (call, next) => {
  const { route, request, response, readBody } = call;
  Object.assign(call, route.hasBody ? await readBody(request, response) : NO_BODY);
  return next();
};

const contract: Stage = async (call, next) => {
  const { request, check, rawBody } = call;
  const raw = { url: request.originalUrl, headers: request.headers, body: call.body, bodyBytes: rawBody.length };
  Object.assign(call, await check(raw));
  return next();
};

export const permission: Stage = async ({ route, caller }, next) => {
  if (caller) authorize(route, caller);
  return next();
};

const rowIds: Stage = async ({ route, params }, next) => {
  requireRowIds(route, params);
  return next();
};

/** With an Idempotency-Key the later stages run once, and a retry gets the same answer. */
export const once: Stage = async (call, next) => {
  const { route, request, caller, services, idempotencyKey: key } = call;
  if (route.isStream && !route.takesIdempotencyKey && key !== undefined) {
    throw new Problem('VALIDATION_FAILED', 'An event stream does not take an Idempotency-Key: it starts nothing', {
      errors: [{ path: 'Idempotency-Key', message: 'expected no Idempotency-Key for an event stream' }],
    });
  }
  if (!caller || !route.takesIdempotencyKey || key === undefined) return next();
  const { params, query, body: given, requestId, resourceId } = call;
  const { operationId: operation, isSecretAnswer: isSecret } = route;
  // Secrets, a caller's own things, and outputs of steps that others may not run are replayed only to the same caller.
  const isOwn = isSecret || isGrantOnly(caller) || (route.showsSteps && !mayDoAnyStep(caller));
  // No header contains a line break, so no key can imitate this.
  const own = isOwn ? `${caller.kind === 'user' ? caller.userId : caller.apiKeyId}\n${key}` : key;
  const scope = { workspaceId: caller.workspaceId, operation, key: own, isSecret };
  const keyed = { params, query, body: given, method: request.method, requestId, resourceId, services };
  return answerOnce(keyed, scope, (id) => {
    call.resourceId = id;
    call.isRepeated = id !== resourceId;
    return next();
  });
};

/**
 * In order. A missing permission is reported before the body is read. Caps (`rate`, messages per hour) come before
 * `once`, so that a refused request may reuse its key; `act` after it, because a repeated answer is no second
 * operation.
 */
export const STAGES: readonly Stage[] = [
  access,
  credential,
  rate,
  permission,
  streamPlace,
  body,
  contract,
  cursor,
  rowIds,
  fairRead,
  once,
  act,
  conditional,
];
