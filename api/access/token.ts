import { createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { ROLES, type Role } from '../../domain/access/permission.ts';
import { readTokenSecrets } from '../../domain/access/tokenSecrets.ts';

const ISSUER = 'perdure';
const AUDIENCE = 'perdure-api';
const ALGORITHM = 'HS256';

const CLAIMS = z.object({
  sub: z.uuid(),
  workspaceId: z.uuid(),
  role: z.enum(ROLES),
  sessionId: z.uuid(),
  type: z.enum(['access', 'refresh']),
});

export interface TokenSubject {
  userId: string;
  workspaceId: string;
  /** Role at signing, for user interfaces; permissions come from the membership's row. */
  role: Role;
  sessionId: string;
}

export type TokenReading = { ok: true; subject: TokenSubject } | { ok: false; reason: 'expired' | 'invalid' };

/** Signs and reads tokens of users. A token of one type is never accepted as another. */
export interface Tokens {
  signAccess(subject: TokenSubject): string;
  /** Lives until `expiresAt`, like its session. */
  signRefresh(subject: TokenSubject, expiresAt: Date): string;
  readAccess(token: string): TokenReading;
  readRefresh(token: string): TokenReading;
}

/** `secrets` is TOKEN_SECRET: the first signs, all verify. Throws if one is missing or too short. */
export function createTokens(secrets: string | undefined, accessTtlMs: number): Tokens {
  const texts = readTokenSecrets(secrets ?? '');
  if (!texts) {
    throw new Error('TOKEN_SECRET is required: at least 32 characters each, e.g. from `openssl rand -base64 48`');
  }
  // Key objects: with a string, verifying costs 0.9 ms (docs/architecture/facts.md).
  const keys = texts.map((text) => createSecretKey(Buffer.from(text, 'utf8')));
  const [key] = keys as [KeyObject];

  function sign(type: 'access' | 'refresh', { userId, workspaceId, role, sessionId }: TokenSubject, expiresAt: Date) {
    const exp = Math.floor(expiresAt.getTime() / 1000);
    return jwt.sign({ sub: userId, workspaceId, role, sessionId, type, exp }, key, {
      algorithm: ALGORITHM,
      issuer: ISSUER,
      audience: AUDIENCE,
    });
  }

  /** Checks the signature before the time, so an expired token was signed with one of the keys. */
  function verify(token: string): { payload: unknown } | { reason: 'expired' | 'invalid' } {
    for (const each of keys) {
      try {
        return { payload: jwt.verify(token, each, { algorithms: [ALGORITHM], issuer: ISSUER, audience: AUDIENCE }) };
      } catch (error) {
        if (error instanceof jwt.TokenExpiredError) return { reason: 'expired' };
      }
    }
    return { reason: 'invalid' };
  }

  function read(type: 'access' | 'refresh', token: string): TokenReading {
    const verified = verify(token);
    if ('reason' in verified) return { ok: false, reason: verified.reason };
    const claims = CLAIMS.safeParse(verified.payload);
    if (!claims.success || claims.data.type !== type) return { ok: false, reason: 'invalid' };
    const { sub, workspaceId, role, sessionId } = claims.data;
    return { ok: true, subject: { userId: sub, workspaceId, role, sessionId } };
  }

  return {
    signAccess: (subject) => sign('access', subject, new Date(Date.now() + accessTtlMs)),
    signRefresh: (subject, expiresAt) => sign('refresh', subject, expiresAt),
    readAccess: (token) => read('access', token),
    readRefresh: (token) => read('refresh', token),
  };
}
