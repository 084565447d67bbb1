import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { catalogueRevision } from '../app/manifests.ts';
import { memberAtLogin } from '../workspaceUser/memberAtLogin.ts';
import { isSessionInUse } from './resource.ts';

/** Inserts it and deletes up to 100 expired ones. False if the member was removed or the password has changed. */
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

/** Returns the user's current role; undefined if the session has ended or the membership is gone. */
export async function findSession(
  database: Database,
  workspaceId: string,
  session: { userId: string; sessionId: string },
): Promise<PresentSession | undefined> {
  return (await findSessions(database, workspaceId, [session])).get(session.sessionId);
}

export interface PresentSession {
  role: Role;
  appsRevision: number;
}

/** Leaves out ended sessions. */
export async function findSessions(
  database: Database,
  workspaceId: string,
  sessions: readonly { userId: string; sessionId: string }[],
): Promise<Map<string, PresentSession>> {
  const rows = await database.$queryRaw<(PresentSession & { id: string })[]>(Prisma.sql`
    SELECT session.id, member.role, ${catalogueRevision(Prisma.sql`session.workspace_id`)} AS "appsRevision"
    FROM unnest(${sessions.map(({ sessionId }) => sessionId)}::uuid[], ${sessions.map(({ userId }) => userId)}::uuid[])
      AS asked(id, user_id)
    JOIN sessions session ON session.id = asked.id AND session.user_id = asked.user_id
    JOIN workspace_users member
      ON member.workspace_id = session.workspace_id AND member.user_id = session.user_id
    WHERE session.workspace_id = ${workspaceId}::uuid AND session.revoked_at IS NULL AND session.expires_at > now()`);
  return new Map(rows.map(({ id, ...present }) => [id, present]));
}

/** Undefined if it was revoked or has expired, the membership is gone, or it was unused for `idleMs`. */
export async function refreshSession(
  database: Database,
  workspaceId: string,
  session: { userId: string; sessionId: string },
  idleMs: number | undefined,
): Promise<{ role: Role } | undefined> {
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

/** Counts for all sessions of the login. Returns until when; undefined if the session has ended. */
export async function recordProof(
  database: Database,
  workspaceId: string,
  { userId, sessionId }: { userId: string; sessionId: string },
  maxAgeMs: number,
): Promise<Date | undefined> {
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

export async function isProofFresh(
  database: Database,
  workspaceId: string,
  { userId, sessionId }: { userId: string; sessionId: string },
  maxAgeMs: number,
): Promise<boolean> {
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

/** Ends when the login would. Undefined if the user is not in that workspace, or the calling session has ended. */
export async function switchSession(
  database: Database,
  workspaceId: string,
  { id, userId, from }: { id: string; userId: string; from: string },
): Promise<Switched | undefined> {
  // Raw: its lock makes an end of the login wait, which then finds the new session. The member is locked first.
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

/** Ends a session and the others of its login: their tokens become void. False if it is not active. */
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
  // A concurrent workspace switch may have started a session that the statement did not see.
  const rest = { userId, loginId: ended.loginId, revokedAt: null };
  while ((await database.session.updateMany({ where: rest, data: { revokedAt: new Date() } })).count > 0);
  return true;
}
