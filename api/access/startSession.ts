import { v7 } from 'uuid';
import { networkOf } from '../../domain/access/network.ts';
import type { Role } from '../../domain/access/permission.ts';
import { insertSession } from '../../prisma/store/session/sessions.ts';
import type { Services } from '../services.ts';
import type { TokenSubject } from './token.ts';

interface Member {
  workspaceId: string;
  userId: string;
  role: Role;
  /** The address from which the person comes. */
  ip: string;
}

/** Begins a session of a person who has proved who they are. Answers its tokens. */
export async function startSession(
  { database, tokens, config }: Pick<Services, 'database' | 'tokens' | 'config'>,
  { ip, ...member }: Member,
): Promise<{ access_token: string; refresh_token: string }> {
  const sessionId = v7();
  const expiresAt = new Date(Date.now() + config.REFRESH_TOKEN_TTL);
  await insertSession(database, member.workspaceId, {
    id: sessionId,
    userId: member.userId,
    network: networkOf(ip),
    expiresAt,
  });
  return tokensOf({ tokens }, { ...member, sessionId }, expiresAt);
}

/** The tokens of a session that lives until `expiresAt`. */
export function tokensOf(
  { tokens }: Pick<Services, 'tokens'>,
  subject: TokenSubject,
  expiresAt: Date,
): { access_token: string; refresh_token: string } {
  return { access_token: tokens.signAccess(subject), refresh_token: tokens.signRefresh(subject, expiresAt) };
}
