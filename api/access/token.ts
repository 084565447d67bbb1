import { createSecretKey } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { ROLES, type Role } from '../../domain/access/permission.ts';

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
  /** As it was at signing, for user interfaces; permissions come from the membership's row. */
  role: Role;
  sessionId: string;
}

export type TokenReading = { ok: true; subject: TokenSubject } | { ok: false; reason: 'expired' | 'invalid' };

/** Signs and reads the tokens of people. A token of one type never passes for the other. */
export interface Tokens {
  signAccess(subject: TokenSubject): string;
  /** Lives until `expiresAt`, as its session does. */
  signRefresh(subject: TokenSubject, expiresAt: Date): string;
  readAccess(token: string): TokenReading;
  readRefresh(token: string): TokenReading;
}

/** Throws where the secret is missing or too short. The life of access tokens is in milliseconds. */
export function createTokens(secret: string | undefined, accessTtlMs: number): Tokens {
  if (secret === undefined || secret.length < 32) {
    throw new Error('TOKEN_SECRET is required: at least 32 characters, e.g. from `openssl rand -base64 48`');
  }
  // A key object: with a string, verifying costs 0.9 ms (docs/architecture/facts.md).
  const key = createSecretKey(Buffer.from(secret, 'utf8'));

  function sign(type: 'access' | 'refresh', { userId, workspaceId, role, sessionId }: TokenSubject, expiresAt: Date) {
    const exp = Math.floor(expiresAt.getTime() / 1000);
    return jwt.sign({ sub: userId, workspaceId, role, sessionId, type, exp }, key, {
      algorithm: ALGORITHM,
      issuer: ISSUER,
      audience: AUDIENCE,
    });
  }

  function read(type: 'access' | 'refresh', token: string): TokenReading {
    let payload: unknown;
    try {
      payload = jwt.verify(token, key, { algorithms: [ALGORITHM], issuer: ISSUER, audience: AUDIENCE });
    } catch (error) {
      return { ok: false, reason: error instanceof jwt.TokenExpiredError ? 'expired' : 'invalid' };
    }
    const claims = CLAIMS.safeParse(payload);
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
