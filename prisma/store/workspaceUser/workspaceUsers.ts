import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { endLogins } from '../session/endLogins.ts';

export async function memberOfAddress(
  database: Database,
  workspaceId: string,
  email: string,
): Promise<string | undefined> {
  const member = await database.workspaceUser.findFirst({
    where: { workspaceId, user: { email } },
    select: { userId: true },
  });
  return member?.userId;
}

/** Changes a role from the next request on. False, with no change, for the last owner or a non-member. */
export async function setRole(database: Database, workspaceId: string, userId: string, role: Role): Promise<boolean> {
  // Raw: locks the owners while checking that one remains.
  const changed = await database.$executeRaw(Prisma.sql`
    WITH ${ownersLocked(workspaceId)}
    UPDATE workspace_users SET role = ${role}
    WHERE workspace_id = ${workspaceId}::uuid AND user_id = ${userId}::uuid
      AND (${role} = 'owner' OR ${anotherOwner(userId)})`);
  return changed === 1;
}

export async function isOfOthersToo(database: Database, workspaceId: string, userId: string): Promise<boolean> {
  return (await database.workspaceUser.count({ where: { userId, workspaceId: { not: workspaceId } } })) > 0;
}

/** Removes grants, too, and API keys if requested. False, with no change, for the last owner or a non-member. */
export async function removeWorkspaceUser(
  database: Database,
  workspaceId: string,
  userId: string,
  { revokeKeys }: { revokeKeys: boolean },
): Promise<boolean> {
  // Raw: all or nothing, with the owners locked while checking that one remains.
  const rows = await database.$queryRaw<object[]>(Prisma.sql`
    WITH ${ownersLocked(workspaceId)}, removed AS (
      DELETE FROM workspace_users
      WHERE workspace_id = ${workspaceId}::uuid AND user_id = ${userId}::uuid AND ${anotherOwner(userId)}
      RETURNING user_id
    ), no_grants AS (
      DELETE FROM share_grants USING removed
      WHERE share_grants.workspace_id = ${workspaceId}::uuid AND share_grants.user_id = removed.user_id
    ), no_keys AS (
      UPDATE api_keys SET revoked_at = now() FROM removed
      WHERE ${revokeKeys} AND api_keys.workspace_id = ${workspaceId}::uuid
        AND api_keys.created_by_user_id = removed.user_id AND api_keys.revoked_at IS NULL
    )
    SELECT user_id FROM removed`);
  return rows.length === 1;
}

/** Locked in one order: of two statements that remove an owner, the second waits and sees the first's result. */
function ownersLocked(workspaceId: string): Prisma.Sql {
  return Prisma.sql`owners AS MATERIALIZED (
    SELECT user_id FROM workspace_users
    WHERE workspace_id = ${workspaceId}::uuid AND role = 'owner' ORDER BY user_id FOR UPDATE
  )`;
}

/** Counts all other owners, so that all are locked. */
function anotherOwner(userId: string): Prisma.Sql {
  return Prisma.sql`(SELECT count(*) FROM owners WHERE user_id <> ${userId}::uuid) > 0`;
}

/** False if the address is proved or the user is in other workspaces: then the workspace does not own the account. */
export async function revokeLogins(database: Database, workspaceId: string, userId: string): Promise<boolean> {
  const rows = await database.$queryRaw<object[]>(Prisma.sql`
    WITH person AS (
      UPDATE users SET password_hash = NULL
      FROM workspace_users member
      WHERE member.workspace_id = ${workspaceId}::uuid AND member.user_id = ${userId}::uuid
        AND users.id = member.user_id AND users.invited_by_workspace_id = member.workspace_id
        AND NOT EXISTS (
          SELECT FROM workspace_users elsewhere
          WHERE elsewhere.user_id = member.user_id AND elsewhere.workspace_id <> member.workspace_id
        )
      RETURNING users.id
    ), ${endLogins('person')}, no_tokens AS (
      DELETE FROM login_tokens USING person WHERE login_tokens.user_id = person.id
    )
    SELECT id FROM person`);
  return rows.length === 1;
}

export async function isMember(database: Database, workspaceId: string, userId: string): Promise<boolean> {
  return (await database.workspaceUser.count({ where: { workspaceId, userId } })) === 1;
}
