import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface Switched {
  role: Role;
  expiresAt: Date;
}

/**
 * Begins a session in another workspace of the person, of the same login: it ends when the login would. Undefined where the person
 * is not in that workspace, or the session that asks has ended.
 */
export async function switchSession(
  database: Database,
  workspaceId: string,
  { id, userId, from }: { id: string; userId: string; from: string },
): Promise<Switched | undefined> {
  // Raw: membership, login and its end are looked at as the session begins.
  const rows = await database.$queryRaw<Switched[]>(Prisma.sql`
    WITH begun AS (
      INSERT INTO sessions (id, workspace_id, user_id, login_id, expires_at)
      SELECT ${id}::uuid, member.workspace_id, member.user_id, session.login_id, session.expires_at
      FROM workspace_users member JOIN sessions session ON session.user_id = member.user_id
      WHERE member.workspace_id = ${workspaceId}::uuid AND member.user_id = ${userId}::uuid
        AND session.id = ${from}::uuid AND session.revoked_at IS NULL AND session.expires_at > now()
      RETURNING workspace_id, user_id, expires_at
    )
    SELECT member.role, begun.expires_at AS "expiresAt"
    FROM begun JOIN workspace_users member USING (workspace_id, user_id)`);
  return rows[0];
}
