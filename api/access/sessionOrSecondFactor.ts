import { insertPendingLogin } from '../../prisma/store/pendingLogin/pendingLogins.ts';
import type { Services } from '../services.ts';
import { makeOneTimeToken } from './oneTimeToken.ts';
import { loginEnded, startSession } from './startSession.ts';

type Answer = Awaited<ReturnType<typeof startSession>> | { requires2FA: true; sessionToken: string };

export async function sessionOrSecondFactor(
  services: Pick<Services, 'database' | 'tokens' | 'config'>,
  member: Parameters<typeof startSession>[1],
  hasSecondFactor: boolean,
): Promise<Answer> {
  if (!hasSecondFactor) return startSession(services, member);
  const { token, hash } = makeOneTimeToken();
  const expiresAt = new Date(Date.now() + services.config.SECOND_FACTOR_TTL);
  const { workspaceId, userId, passwordHash, isProof } = member;
  const begun = await insertPendingLogin(services.database, workspaceId, {
    tokenHash: hash,
    userId,
    passwordHash,
    isProof,
    expiresAt,
  });
  if (!begun) throw loginEnded();
  return { requires2FA: true, sessionToken: token };
}
