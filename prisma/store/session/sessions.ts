import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { memberAtLogin } from '../workspaceUser/memberAtLogin.ts';
import { isSessionInUse } from './resource.ts';

/**
 * The first session of a login. Also removes up to 100 sessions that have expired: more than come in. False if the
 * member is gone, or has another password than the proved one: then there is no session.
 */
export async function insertSession(
  database: Database,
  workspaceId: string,
  session: {
    id: string;
    userId: string;
    passwordHash?: string | undefined;
    isProof: boolean;
    network: string;
    expiresAt: Date;
  },
): Promise<boolean> {
  // Raw: member and password are looked at as it begins, and the same statement deletes expired rows.
  const inserted = await database.$executeRaw(Prisma.sql`
    WITH removed AS (
      DELETE FROM sessions
      WHERE id IN (SELECT id FROM sessions WHERE expires_at < now() ORDER BY expires_at LIMIT 100)
    )
    INSERT INTO sessions (id, workspace_id, user_id, login_id, network, expires_at, proved_at)
    SELECT ${session.id}::uuid, proved.workspace_id, proved.user_id, ${session.id}::uuid, ${session.network},
      ${session.expiresAt}::timestamptz, CASE WHEN ${session.isProof} THEN now() END
    FROM (${memberAtLogin(workspaceId, session)}) proved`);
  return inserted === 1;
}

/** The role that the session's person has now; undefined once it is revoked or expired, or the membership is gone. */
export async function findSession(
  database: Database,
  workspaceId: string,
  session: { userId: string; sessionId: string },
): Promise<{ role: Role } | undefined> {
  const role = (await findSessions(database, workspaceId, [session])).get(session.sessionId);
  return role && { role };
}

/** The same of several, by their ids; those are left out that have ended. */
export async function findSessions(
  database: Database,
  workspaceId: string,
  sessions: readonly { userId: string; sessionId: string }[],
): Promise<Map<string, Role>> {
  // Raw: every request of a person runs it: session and membership together, by the database's clock.
  const rows = await database.$queryRaw<{ id: string; role: Role }[]>(Prisma.sql`
    SELECT session.id, member.role
    FROM unnest(${sessions.map(({ sessionId }) => sessionId)}::uuid[], ${sessions.map(({ userId }) => userId)}::uuid[])
      AS asked(id, user_id)
    JOIN sessions session ON session.id = asked.id AND session.user_id = asked.user_id
    JOIN workspace_users member
      ON member.workspace_id = session.workspace_id AND member.user_id = session.user_id
    WHERE session.workspace_id = ${workspaceId}::uuid AND session.revoked_at IS NULL AND session.expires_at > now()`);
  return new Map(rows.map(({ id, role }) => [id, role]));
}

/**
 * The role that the session's person has now, and the session is in use. Undefined once it is revoked or expired, the membership is
 * gone, or it was not in use for `idleMs` (undefined: however long).
 */
export async function refreshSession(
  database: Database,
  workspaceId: string,
  session: { userId: string; sessionId: string },
  idleMs: number | undefined,
): Promise<{ role: Role } | undefined> {
  // Raw: session and membership are looked at as it is put into use again, by the database's clock.
  const rows = await database.$queryRaw<{ role: Role }[]>(Prisma.sql`
    UPDATE sessions t SET refreshed_at = now()
    FROM workspace_users member
    WHERE member.workspace_id = t.workspace_id AND member.user_id = t.user_id
      AND t.id = ${session.sessionId}::uuid
      AND t.workspace_id = ${workspaceId}::uuid
      AND t.user_id = ${session.userId}::uuid
      AND t.revoked_at IS NULL AND t.expires_at > now() AND ${isSessionInUse(idleMs)}
    RETURNING member.role`);
  return rows[0];
}

/**
 * The person has just shown again who they are: it counts in all sessions of the login. Returns until when, by the database's clock;
 * undefined if the session has ended.
 */
export async function recordProof(
  database: Database,
  workspaceId: string,
  { userId, sessionId }: { userId: string; sessionId: string },
  maxAgeMs: number,
): Promise<Date | undefined> {
  // Raw: which login it is, and the time, are the database's.
  const rows = await database.$queryRaw<{ until: Date }[]>(Prisma.sql`
    UPDATE sessions SET proved_at = now()
    WHERE user_id = ${userId}::uuid AND revoked_at IS NULL AND login_id = (
      SELECT login_id FROM sessions
      WHERE id = ${sessionId}::uuid AND workspace_id = ${workspaceId}::uuid AND user_id = ${userId}::uuid
        AND revoked_at IS NULL AND expires_at > now()
    )
    RETURNING proved_at + ${maxAgeMs} * interval '1 millisecond' AS until`);
  return rows[0]?.until;
}

/** Whether the person of the session has shown within that time who they are. */
export async function isProofFresh(
  database: Database,
  workspaceId: string,
  { userId, sessionId }: { userId: string; sessionId: string },
  maxAgeMs: number,
): Promise<boolean> {
  // Raw: by the database's clock, as it was written.
  const rows = await database.$queryRaw<object[]>(Prisma.sql`
    SELECT FROM sessions
    WHERE id = ${sessionId}::uuid AND workspace_id = ${workspaceId}::uuid AND user_id = ${userId}::uuid
      AND proved_at > now() - ${maxAgeMs} * interval '1 millisecond'`);
  return rows.length === 1;
}

export interface Switched {
  role: Role;
  expiresAt: Date;
}

/**
 * Begins a session in another workspace of the person, of the same login: it ends when the login would. Undefined if the person
 * is not in that workspace, or the session that asks has ended.
 */
export async function switchSession(
  database: Database,
  workspaceId: string,
  { id, userId, from }: { id: string; userId: string; from: string },
): Promise<Switched | undefined> {
  // Raw: membership, login and its end are looked at as the session begins; the lock makes an end of the login wait, which
  // then finds the new session. The member is locked first, as a removal does.
  const rows = await database.$queryRaw<Switched[]>(Prisma.sql`
    WITH begun AS (
      INSERT INTO sessions (id, workspace_id, user_id, login_id, expires_at, proved_at)
      SELECT ${id}::uuid, member.workspace_id, member.user_id, session.login_id, session.expires_at, session.proved_at
      FROM workspace_users member JOIN sessions session ON session.user_id = member.user_id
      WHERE member.workspace_id = ${workspaceId}::uuid AND member.user_id = ${userId}::uuid
        AND session.id = ${from}::uuid AND session.revoked_at IS NULL AND session.expires_at > now()
      FOR SHARE OF member, session
      RETURNING workspace_id, user_id, expires_at
    )
    SELECT member.role, begun.expires_at AS "expiresAt"
    FROM begun JOIN workspace_users member USING (workspace_id, user_id)`);
  return rows[0];
}

/**
 * Ends a session of a person in the workspace, and the others of the same login: their refresh and access tokens no longer count.
 * False if there is no active one.
 */
export async function endLogin(
  database: Database,
  workspaceId: string,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<boolean> {
  // Raw: identifies the login and checks that it is active in the statement that ends it.
  const [ended] = await database.$queryRaw<{ loginId: string }[]>(Prisma.sql`
    UPDATE sessions SET revoked_at = now()
    WHERE user_id = ${userId}::uuid AND revoked_at IS NULL AND login_id = (
      SELECT login_id FROM sessions
      WHERE id = ${sessionId}::uuid AND workspace_id = ${workspaceId}::uuid AND user_id = ${userId}::uuid
        AND revoked_at IS NULL AND expires_at > now()
    )
    RETURNING login_id AS "loginId"`);
  if (!ended) return false;
  // A switch of the workspace that was running has begun a session which the statement did not see.
  const rest = { userId, loginId: ended.loginId, revokedAt: null };
  while ((await database.session.updateMany({ where: rest, data: { revokedAt: new Date() } })).count > 0);
  return true;
}
