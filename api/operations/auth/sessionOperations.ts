import { v7 } from 'uuid';
import { Problem } from '../../../domain/problem.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { SESSION } from '../../../prisma/store/session/resource.ts';
import { endLogin, recordProof, refreshSession, switchSession } from '../../../prisma/store/session/sessions.ts';
import { personOf, requirePassword } from '../../access/person.ts';
import { requireCode } from '../../access/requireCode.ts';
import { tokensOf } from '../../access/startSession.ts';
import type { Operation, PublicOperation } from '../../operation.ts';

/** Issues an access token with the user's current role. The refresh token stays the same. */
export const refreshToken: PublicOperation<'refreshToken'> = async ({
  body,
  services: { config, database, tokens },
}) => {
  const reading = tokens.readRefresh(body.refresh_token);
  if (!reading.ok) {
    throw new Problem(
      'UNAUTHENTICATED',
      reading.reason === 'expired' ? 'The refresh token has expired' : 'The refresh token is not valid',
    );
  }
  const { subject } = reading;
  const session = await refreshSession(database, subject.workspaceId, subject, config.SESSION_IDLE_TIMEOUT);
  if (!session) throw new Problem('UNAUTHENTICATED', 'The session has ended');
  return { access_token: tokens.signAccess({ ...subject, role: session.role }) };
};

/** The current session continues, because browser tabs may use several workspaces. */
export const switchWorkspace: Operation<'switchWorkspace'> = async ({ caller, body: { workspaceId }, services }) => {
  if (caller.kind !== 'user') {
    throw new Problem('FORBIDDEN', 'An API key belongs to one workspace: send an access token');
  }
  const { userId, sessionId } = caller;
  const id = v7();
  const begun = await switchSession(services.database, workspaceId, { id, userId, from: sessionId });
  if (!begun) throw new Problem('NOT_FOUND', 'The workspace does not exist');
  return tokensOf(services, { userId, workspaceId, role: begun.role, sessionId: id }, begun.expiresAt);
};

export const confirm: Operation<'confirm'> = async ({ body, ...request }) => {
  const person = await personOf(request);
  if ('password' in body) await requirePassword(request, person.email, body.password);
  else await requireCode(request, person, body.token);
  const { database, config } = request.services;
  const until = await recordProof(database, request.caller.workspaceId, person, config.CONFIRMATION_MAX_AGE);
  if (!until) throw new Problem('UNAUTHENTICATED', 'The session has ended');
  return { confirmedUntil: until.toISOString() };
};

export const logout: Operation<'logout'> = async ({ caller, services }) => {
  if (caller.kind !== 'user') throw new Problem('FORBIDDEN', 'An API key has no session: revoke it instead');
  await endLogin(services.database, caller.workspaceId, caller);
  return { loggedOut: true };
};

export const revokeSession: Operation<'revokeSession'> = async ({ caller, params: { sessionId }, services }) => {
  if (caller.kind !== 'user') throw notFound(SESSION);
  const { workspaceId, userId } = caller;
  if (!(await endLogin(services.database, workspaceId, { userId, sessionId }))) throw notFound(SESSION);
  return { id: sessionId, deleted: true };
};
