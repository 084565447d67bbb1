import { v7 } from 'uuid';
import { Problem } from '../../../domain/problem.ts';
import { switchSession } from '../../../prisma/store/session/switchSession.ts';
import { tokensOf } from '../../access/startSession.ts';
import type { Operation } from '../../operation.ts';

/** The session that asks goes on: tabs of a browser may be in several workspaces. */
export const switchWorkspace: Operation<'switchWorkspace'> = async ({ caller, body: { workspaceId }, services }) => {
  if (caller.kind !== 'user') {
    throw new Problem('FORBIDDEN', 'An API key is of one workspace: call with an access token');
  }
  const { userId, sessionId } = caller;
  const id = v7();
  const begun = await switchSession(services.database, workspaceId, { id, userId, from: sessionId });
  if (!begun) throw new Problem('NOT_FOUND', 'The workspace does not exist');
  return tokensOf(services, { userId, workspaceId, role: begun.role, sessionId: id }, begun.expiresAt);
};
