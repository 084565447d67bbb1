import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** The first session of a login. Also removes up to 100 sessions that have expired: more than come in. */
export async function insertSession(
  database: Database,
  workspaceId: string,
  session: { id: string; userId: string; network: string; expiresAt: Date },
): Promise<void> {
  // Raw: what has expired goes in the same statement.
  await database.$executeRaw(Prisma.sql`
    WITH removed AS (
      DELETE FROM sessions
      WHERE id IN (SELECT id FROM sessions WHERE expires_at < now() ORDER BY expires_at LIMIT 100)
    )
    INSERT INTO sessions (id, workspace_id, user_id, login_id, network, expires_at)
    VALUES (${session.id}::uuid, ${workspaceId}::uuid, ${session.userId}::uuid, ${session.id}::uuid, ${session.network},
      ${session.expiresAt}::timestamptz)`);
}
