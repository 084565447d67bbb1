import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import { isPermission, ROLE_PERMISSIONS } from '../../domain/access/permission.ts';
import { Problem } from '../../domain/problem.ts';
import type { Database } from '../../prisma/client.ts';
import { findApiKey, findLiveApiKeys } from '../../prisma/store/apiKey/findApiKey.ts';
import { touchApiKey } from '../../prisma/store/apiKey/writeApiKey.ts';
import { findSession, findSessions } from '../../prisma/store/session/sessions.ts';
import { isApiKey, looksLikeApiKey } from './apiKey.ts';
import type { Caller } from './caller.ts';
import { hashToken } from './oneTimeToken.ts';
import type { Tokens } from './token.ts';

interface Access {
  database: Database;
  log: Logger;
  tokens: Tokens;
}

const BEARER = /^Bearer +(\S+) *$/i;

/** Identifies the caller in one statement. Throws UNAUTHENTICATED with its `challenge`. */
export async function authenticate(services: Access, headers: IncomingHttpHeaders): Promise<Caller> {
  const credential = readCredential(headers);
  return looksLikeApiKey(credential) ? byApiKey(services, credential) : byAccessToken(services, credential);
}

function readCredential(headers: IncomingHttpHeaders): string {
  const header = headers['x-api-key'];
  const apiKey = Array.isArray(header) ? header.join(', ') : header;
  const bearer = BEARER.exec(headers.authorization ?? '')?.[1];
  if (apiKey !== undefined) {
    if (!looksLikeApiKey(apiKey)) throw refused('X-API-Key does not contain an API key of this service');
    if (bearer !== undefined && bearer !== apiKey) {
      throw refused('X-API-Key and Authorization name different callers: send one of them');
    }
    return apiKey;
  }
  if (bearer !== undefined) return bearer;
  // No credential was sent, so the challenge names no error (RFC 6750, 3.1).
  throw new Problem(
    'UNAUTHENTICATED',
    'Send X-API-Key: <API key>, or Authorization: Bearer <API key or access token>',
    {
      challenge: 'Bearer realm="perdure"',
    },
  );
}

async function byApiKey({ database, log }: Access, credential: string): Promise<Caller> {
  const keyHash = hashToken(credential);
  const found = isApiKey(credential) ? await findApiKey(database, keyHash) : undefined;
  if (!found) throw refused('The API key is unknown, revoked or expired');
  if (found.touchDue) {
    // Not awaited: the answer does not depend on it.
    touchApiKey(database, found.workspaceId, found.id).catch((error: unknown) =>
      log.error({ err: error, apiKeyId: found.id }, 'the last use of an API key was not recorded'),
    );
  }
  return {
    kind: 'apiKey',
    workspaceId: found.workspaceId,
    apiKeyId: found.id,
    keyHash,
    permissions: new Set(found.permissions.filter(isPermission)),
    appsRevision: found.appsRevision,
  };
}

async function byAccessToken({ database, tokens }: Access, credential: string): Promise<Caller> {
  const reading = tokens.readAccess(credential);
  if (!reading.ok) {
    throw refused(reading.reason === 'expired' ? 'The access token has expired' : 'The access token is not valid');
  }
  const { workspaceId, userId, sessionId } = reading.subject;
  const session = await findSession(database, workspaceId, { userId, sessionId });
  if (!session) throw refused('The session has ended');
  const { role, appsRevision } = session;
  return { kind: 'user', workspaceId, userId, sessionId, permissions: new Set(ROLE_PERMISSIONS[role]), appsRevision };
}

function refused(detail: string): Problem {
  return new Problem('UNAUTHENTICATED', detail, { challenge: 'Bearer realm="perdure", error="invalid_token"' });
}

export function credentialKeyOf(caller: Caller): string {
  return caller.kind === 'user' ? caller.sessionId : Buffer.from(caller.keyHash).toString('hex');
}

/** Returns the callers whose credentials are still valid, with their current permissions. Always two statements. */
export async function presentCallers(
  database: Database,
  workspaceId: string,
  callers: readonly Caller[],
): Promise<Map<string, Caller>> {
  const keys = callers.flatMap((caller) => (caller.kind === 'apiKey' ? [caller] : []));
  const users = callers.flatMap((caller) => (caller.kind === 'user' ? [caller] : []));
  const [live, sessions] = await Promise.all([
    keys.length === 0 ? undefined : findLiveApiKeys(database, workspaceId, keys),
    users.length === 0 ? undefined : findSessions(database, workspaceId, users),
  ]);
  const present = new Map<string, Caller>();
  for (const caller of callers) {
    const id = credentialKeyOf(caller);
    const role = sessions?.get(id)?.role;
    const permissions = caller.kind === 'user' ? role && ROLE_PERMISSIONS[role] : live?.get(id)?.filter(isPermission);
    if (permissions) present.set(id, { ...caller, permissions: new Set(permissions) });
  }
  return present;
}

export async function presentCaller(database: Database, caller: Caller): Promise<Caller | undefined> {
  return (await presentCallers(database, caller.workspaceId, [caller])).get(credentialKeyOf(caller));
}
