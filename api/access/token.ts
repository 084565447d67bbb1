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

/** A session of the MCP server. Its token holds all of its state, so that every process continues it. */
export interface McpSession {
  id: string;
  workspaceId: string;
  /** `user <id>` or `apiKey <id>`; the session is of no use to others. */
  owner: string;
  /** The client shows forms to a person (elicitation). */
  asksPerson: boolean;
}

const MCP_CLAIMS = z.object({
  sub: z.string(),
  workspaceId: z.uuid(),
  sessionId: z.uuid(),
  asksPerson: z.boolean(),
  type: z.literal('mcp'),
});

/** Signs and reads tokens of users. A token of one type is never accepted as another. */
export interface Tokens {
  signAccess(subject: TokenSubject): string;
  /** Lives until `expiresAt`, like its session. */
  signRefresh(subject: TokenSubject, expiresAt: Date): string;
  signMcp(session: McpSession, expiresAt: Date): string;
  readAccess(token: string): TokenReading;
  readRefresh(token: string): TokenReading;
  readMcp(token: string): McpSession | undefined;
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

  function sign(claims: object, expiresAt: Date): string {
    const exp = Math.floor(expiresAt.getTime() / 1000);
    return jwt.sign({ ...claims, exp }, key, { algorithm: ALGORITHM, issuer: ISSUER, audience: AUDIENCE });
  }

  function claimsOf(type: 'access' | 'refresh', { userId, workspaceId, role, sessionId }: TokenSubject): object {
    return { sub: userId, workspaceId, role, sessionId, type };
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
    signAccess: (subject) => sign(claimsOf('access', subject), new Date(Date.now() + accessTtlMs)),
    signRefresh: (subject, expiresAt) => sign(claimsOf('refresh', subject), expiresAt),
    signMcp: ({ id, owner, ...session }, expiresAt) =>
      sign({ ...session, sub: owner, sessionId: id, type: 'mcp' }, expiresAt),
    readAccess: (token) => read('access', token),
    readRefresh: (token) => read('refresh', token),
    readMcp(token) {
      const verified = verify(token);
      const claims = MCP_CLAIMS.safeParse('payload' in verified ? verified.payload : undefined);
      if (!claims.success) return undefined;
      const { sub: owner, sessionId: id, workspaceId, asksPerson } = claims.data;
      return { id, owner, workspaceId, asksPerson };
    },
  };
}
