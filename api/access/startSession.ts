import { v7 } from 'uuid';
import { networkOf } from '../../domain/access/network.ts';
import type { Role } from '../../domain/access/permission.ts';
import { Problem } from '../../domain/problem.ts';
import { insertSession } from '../../prisma/store/session/sessions.ts';
import type { Services } from '../services.ts';
import type { TokenSubject } from './token.ts';

interface Member {
  workspaceId: string;
  userId: string;
  role: Role;
  /** Hash of the verified password; undefined for other proofs. */
  passwordHash?: string | undefined;
  /** Whether the login proves the identity: by password or single sign-on, not by a link. */
  isProof: boolean;
  ip: string;
}

/** Throws UNAUTHENTICATED as `loginEnded`. */
export async function startSession(
  { database, tokens, config }: Pick<Services, 'database' | 'tokens' | 'config'>,
  { ip, passwordHash, isProof, ...member }: Member,
): Promise<{ access_token: string; refresh_token: string }> {
  const sessionId = v7();
  const expiresAt = new Date(Date.now() + config.REFRESH_TOKEN_TTL);
  const begun = await insertSession(database, member.workspaceId, {
    id: sessionId,
    userId: member.userId,
    passwordHash,
    isProof,
    network: networkOf(ip),
    expiresAt,
  });
  if (!begun) throw loginEnded();
  return tokensOf({ tokens }, { ...member, sessionId }, expiresAt);
}

/** For a proof that became void while it was checked. */
export function loginEnded(): Problem {
  return new Problem('UNAUTHENTICATED', 'The password has changed, or you are no longer a member: log in again');
}

export function tokensOf(
  { tokens }: Pick<Services, 'tokens'>,
  subject: TokenSubject,
  expiresAt: Date,
): { access_token: string; refresh_token: string } {
  return { access_token: tokens.signAccess(subject), refresh_token: tokens.signRefresh(subject, expiresAt) };
}
