import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** The role that the session's person has now; undefined once it is revoked or expired, or the membership is gone. */
export async function findSession(
  database: Database,
  workspaceId: string,
  session: { userId: string; sessionId: string },
): Promise<{ role: Role } | undefined> {
  // Raw: every request of a person runs it: session and membership together, by the database's clock.
  const rows = await database.$queryRaw<{ role: Role }[]>(Prisma.sql`
    SELECT member.role
    FROM sessions session
    JOIN workspace_users member
      ON member.workspace_id = session.workspace_id AND member.user_id = session.user_id
    WHERE session.id = ${session.sessionId}::uuid
      AND session.workspace_id = ${workspaceId}::uuid
      AND session.user_id = ${session.userId}::uuid
      AND session.revoked_at IS NULL AND session.expires_at > now()`);
  return rows[0];
}
