import { Prisma } from '../../generated/client.ts';

/**
 * No row if the member was removed, or the password has changed since the check, which takes long. The lock makes a
 * concurrent change wait, and that then ends this login too.
 */
export function memberAtLogin(
  workspaceId: string,
  { userId, passwordHash }: { userId: string; passwordHash?: string | undefined },
): Prisma.Sql {
  const isPassword = passwordHash === undefined ? Prisma.sql`true` : Prisma.sql`person.password_hash = ${passwordHash}`;
  return Prisma.sql`SELECT member.workspace_id, member.user_id
    FROM workspace_users member JOIN users person ON person.id = member.user_id
    WHERE member.workspace_id = ${workspaceId}::uuid AND member.user_id = ${userId}::uuid AND ${isPassword}
    FOR SHARE OF person`;
}
