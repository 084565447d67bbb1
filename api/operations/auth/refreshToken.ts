import { Problem } from '../../../domain/problem.ts';
import { findSession } from '../../../prisma/store/session/findSession.ts';
import type { PublicOperation } from '../../operation.ts';

/** A new access token, with the role that the person has now. The refresh token stays as it is. */
export const refreshToken: PublicOperation<'refreshToken'> = async ({ body, services: { database, tokens } }) => {
  const reading = tokens.readRefresh(body.refresh_token);
  if (!reading.ok) {
    throw new Problem(
      'UNAUTHENTICATED',
      reading.reason === 'expired' ? 'The refresh token has expired' : 'The refresh token is not valid',
    );
  }
  const session = await findSession(database, reading.subject.workspaceId, reading.subject);
  if (!session) throw new Problem('UNAUTHENTICATED', 'The session has ended');
  return { access_token: tokens.signAccess({ ...reading.subject, role: session.role }) };
};
