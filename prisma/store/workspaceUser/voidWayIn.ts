import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/**
 * The password of a member counts no more, and their sessions and hidden tokens end. False where they have shown that the e-mail
 * address is theirs, so that they may be of other workspaces too.
 */
export async function voidWayIn(database: Database, workspaceId: string, userId: string): Promise<boolean> {
  // Raw: all of it or nothing.
  const rows = await database.$queryRaw<object[]>(Prisma.sql`
    WITH person AS (
      UPDATE users SET password_hash = NULL
      FROM workspace_users member
      WHERE member.workspace_id = ${workspaceId}::uuid AND member.user_id = ${userId}::uuid
        AND users.id = member.user_id AND users.invited_by_workspace_id = member.workspace_id
      RETURNING users.id
    ), no_sessions AS (
      DELETE FROM sessions USING person WHERE sessions.user_id = person.id
    ), no_tokens AS (
      DELETE FROM login_tokens USING person WHERE login_tokens.user_id = person.id
    )
    SELECT id FROM person`);
  return rows.length === 1;
}
