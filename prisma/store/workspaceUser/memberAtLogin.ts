import { Prisma } from '../../generated/client.ts';

/**
 * `workspace_id` and `user_id` of a member whose login begins; no row where the person has been removed, or has another
 * password than the one that was proved: the check of a password takes so long that it can change meanwhile, and what
 * ends the logins by the old one does not see this one yet. The lock makes a change of the password wait, which then
 * finds what has begun.
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
