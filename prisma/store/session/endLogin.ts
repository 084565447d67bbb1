import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/**
 * Ends a session of a person in the workspace, and the others of the same login: their refresh and access tokens count no more.
 * False where there is none that goes on.
 */
export async function endLogin(
  database: Database,
  workspaceId: string,
  { userId, sessionId }: { userId: string; sessionId: string },
): Promise<boolean> {
  // Raw: which login it is, and whether it goes on, is decided as it ends.
  const ended = await database.$executeRaw(Prisma.sql`
    UPDATE sessions SET revoked_at = now()
    WHERE user_id = ${userId}::uuid AND revoked_at IS NULL AND login_id = (
      SELECT login_id FROM sessions
      WHERE id = ${sessionId}::uuid AND workspace_id = ${workspaceId}::uuid AND user_id = ${userId}::uuid
        AND revoked_at IS NULL AND expires_at > now()
    )`);
  return ended > 0;
}
