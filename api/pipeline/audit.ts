import { Problem, type ProblemCode } from '../../domain/problem.ts';
import type { AuditOutcome } from '../../prisma/store/audit/entries.ts';
import { credentialOf } from '../access/caller.ts';
import { isAct, madeBy, namedIn, resourceTypeOf } from '../audit/audited.ts';
import { KeyThrottle } from '../audit/keyThrottle.ts';
import type { Call, Stage } from './stage.ts';

const tooOften = new KeyThrottle(60_000);

export const act: Stage = async (call, next) => {
  const { route, caller, services, params } = call;
  if (!caller || !isAct(route)) return next();
  const resourceId = namedIn(route, params);
  const { workspaceId } = caller;
  const actor = credentialOf(caller);
  const id = await services.audit.write({ ...entryOf(call), workspaceId, actor, resourceId, outcome: 'unknown' });
  call.isRecorded = true;
  try {
    const outcome = await next();
    const made = resourceId === null ? madeBy(call.answered) : null;
    services.audit.settle({ id, outcome: 'success', resourceId: made });
    const there = call.auditDetails.workspaceId;
    if (there !== undefined && there !== workspaceId) {
      await services.audit.write({ ...entryOf(call), workspaceId: there, actor, resourceId: made, outcome: 'success' });
    }
    return outcome;
  } catch (error) {
    services.audit.settle({ id, outcome: outcomeOf(error), resourceId: null });
    throw error;
  }
};

/** Records refusals and logins, which `act` does not record. */
export const access: Stage = async (call, next) => {
  const { route, services, auditDetails } = call;
  try {
    const outcome = await next();
    if (route.isPublic && auditDetails.workspaceId !== undefined && isAct(route)) {
      const { workspaceId, actor = null, resourceId = null } = auditDetails;
      await services.audit.write({ ...entryOf(call), workspaceId, actor, resourceId, outcome: 'success' });
    } else if (auditDetails.isOfEmail && auditDetails.email !== undefined) {
      const { email, askedFor } = auditDetails;
      await services.audit.writeOfPerson(
        { email, askedFor },
        { ...entryOf(call), resourceId: null, outcome: 'success' },
      );
    }
    return outcome;
  } catch (error) {
    if (isRefusal(error) && !call.isRecorded) await recordRefusal(call, error.code);
    throw error;
  }
};

/** The caller receives the refusal, whether or not it could be recorded. */
async function recordRefusal(call: Call, code: ProblemCode): Promise<void> {
  const { caller, services, auditDetails, route, request } = call;
  // It may have been refused before the contract check has read its parameters.
  const params = request.params as Record<string, string>;
  const entry = { ...entryOf(call), resourceId: namedIn(route, params), outcome: 'denied' as const };
  const { workspaceId, actor, email, askedFor } = auditDetails;
  const who = caller ? credentialOf(caller).id : (actor?.id ?? email);
  // Refusals by rate limits are recorded at a low rate.
  if (code === 'RATE_LIMITED' && !tooOften.isDue(`${who} ${route.operationId}`)) return;
  try {
    if (caller) await services.audit.write({ ...entry, workspaceId: caller.workspaceId, actor: credentialOf(caller) });
    else if (workspaceId !== undefined && actor) await services.audit.write({ ...entry, workspaceId, actor });
    else if (email !== undefined) await services.audit.writeOfPerson({ email, askedFor }, entry);
  } catch (error) {
    services.log.error({ err: error, requestId: call.requestId }, 'a refused access was not recorded');
  }
}

function entryOf({ route, request, requestId }: Call) {
  const action = route.operationId.replace(/ByPut$/, '');
  return { action, resourceType: resourceTypeOf(route), address: request.ip ?? '', requestId };
}

function isRefusal(error: unknown): error is Problem {
  return error instanceof Problem && [401, 403, 429].includes(error.status);
}

function outcomeOf(error: unknown): AuditOutcome {
  return isRefusal(error) ? 'denied' : 'failure';
}
