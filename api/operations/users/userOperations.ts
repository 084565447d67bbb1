import { PERMISSIONS } from '../../../domain/access/permission.ts';
import { Problem } from '../../../domain/problem.ts';
import type { Database } from '../../../prisma/client.ts';
import { readCurrentApiKey } from '../../../prisma/store/apiKey/findApiKey.ts';
import { hasIdentity } from '../../../prisma/store/identity/hasIdentity.ts';
import type { Item } from '../../../prisma/store/items.ts';
import type { ListOptions } from '../../../prisma/store/listResource.ts';
import { isSessionInUse } from '../../../prisma/store/session/resource.ts';
import { recordProof } from '../../../prisma/store/session/sessions.ts';
import { readCurrentUser } from '../../../prisma/store/user/readCurrentUser.ts';
import { findPasswordHash, setName, setPassword } from '../../../prisma/store/user/users.ts';
import type { Caller } from '../../access/caller.ts';
import { requireConfirmation } from '../../access/confirmation.ts';
import { hashPassword } from '../../access/password.ts';
import { passwordProblem } from '../../access/passwordRules.ts';
import { passwordOwner, personOf, requirePassword, wrongPassword } from '../../access/person.ts';
import type { Operation } from '../../operation.ts';
import type { ResourceRequest } from '../../resources/resourceRequest.ts';

export const getCurrentUser: Operation<'getCurrentUser'> = async ({ caller, services: { database } }) => {
  if (caller.kind === 'user') return currentUser(database, caller, caller.userId);
  const found = await readCurrentApiKey(database, caller.workspaceId, caller.apiKeyId);
  if (!found) throw new Problem('UNAUTHENTICATED', 'The API key was revoked or deleted');
  return { ...found, permissions: permissionsOf(caller) };
};

export const updateCurrentUser: Operation<'updateCurrentUser'> = async ({ body, ...request }) => {
  const { userId } = await personOf(request);
  const { database } = request.services;
  if (body?.name !== undefined) await setName(database, userId, body.name);
  return currentUser(database, request.caller, userId);
};

export const changePassword: Operation<'changePassword'> = async ({ body, ...request }) => {
  const person = await personOf(request);
  const { userId, sessionId, email } = person;
  const { services, caller } = request;
  const { database, config } = services;
  const message = await passwordProblem(body.password, passwordOwner(person), config, request.signal);
  if (message !== undefined) {
    throw new Problem('VALIDATION_FAILED', `The new password cannot be used: ${message}`, {
      errors: [{ path: 'password', message }],
    });
  }
  let instead = await findPasswordHash(database, userId);
  if (instead === null) {
    // A stolen session could otherwise set the password that confirms it.
    if (await hasIdentity(database, userId)) await requireConfirmation(services, caller);
  } else {
    const { currentPassword } = body;
    if (currentPassword === undefined) throw wrongPassword('currentPassword');
    instead = await requirePassword(request, email, currentPassword, 'currentPassword');
  }
  const passwordHash = await hashPassword(body.password);
  // Another change was faster; knowing the previous password is not enough to undo it.
  if (!(await setPassword(database, userId, passwordHash, { kept: sessionId, instead }))) {
    throw wrongPassword('currentPassword');
  }
  if (instead !== null) await recordProof(database, caller.workspaceId, person, config.CONFIRMATION_MAX_AGE);
  return { hasPassword: true };
};

export function withCurrent(sessions: Item[], { caller }: ResourceRequest): Item[] {
  const own = caller.kind === 'user' ? caller.sessionId : undefined;
  return sessions.map((session) => ({ ...session, isCurrent: session.id === own }));
}

export function inUseOnly({ services }: ResourceRequest): Pick<ListOptions, 'conditions'> {
  return { conditions: [isSessionInUse(services.config.SESSION_IDLE_TIMEOUT)] };
}

async function currentUser(database: Database, caller: Caller, userId: string) {
  const found = await readCurrentUser(database, caller.workspaceId, userId);
  if (!found) throw new Problem('UNAUTHENTICATED', 'You are no longer a member of the workspace');
  return { ...found, permissions: permissionsOf(caller) };
}

const permissionsOf = ({ permissions }: Caller) => PERMISSIONS.filter((permission) => permissions.has(permission));
