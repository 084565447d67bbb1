import { Problem } from '../../../domain/problem.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { endLogin } from '../../../prisma/store/session/endLogin.ts';
import { SESSION } from '../../../prisma/store/session/resource.ts';
import type { Operation } from '../../operation.ts';

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
