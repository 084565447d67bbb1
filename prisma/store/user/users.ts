import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { endLogins } from '../session/endLogins.ts';

/** Only for the operator: no workspace. */
export async function findUserByEmail(database: Database, email: string): Promise<{ id: string } | undefined> {
  return (await database.user.findUnique({ where: { email }, select: { id: true } })) ?? undefined;
}

/** Only for the operator: no workspace. */
export async function findPersonByEmail(
  database: Database,
  email: string,
): Promise<{ email: string; name: string; workspaces: { name: string; role: Role }[] } | undefined> {
  const found = await database.user.findUnique({
    where: { email },
    select: { name: true, memberships: { select: { role: true, workspace: { select: { name: true } } } } },
  });
  if (!found) return undefined;
  const workspaces = found.memberships.map(({ role, workspace }) => ({ name: workspace.name, role: role as Role }));
  return { email, name: found.name, workspaces };
}

export interface FoundLogin {
  userId: string;
  email: string;
  passwordHash: string | null;
  hasSecondFactor: boolean;
  /** Null if the user is in no workspace, or not in the requested one. */
  membership: { workspaceId: string; role: Role } | null;
}

/** Finds the user in the requested workspace or the first joined. Runs before a workspace is known. */
export async function findLogin(
  database: Database,
  email: string,
  workspaceId: string | undefined,
): Promise<FoundLogin | undefined> {
  // Raw: reads user and membership together, so that an unknown e-mail takes as long as a known one.
  const rows = await database.$queryRaw<FoundLogin[]>(Prisma.sql`
    SELECT person.id AS "userId", person.email, person.password_hash AS "passwordHash",
      EXISTS (SELECT 1 FROM second_factors WHERE user_id = person.id AND confirmed_at IS NOT NULL) AS "hasSecondFactor", (
      SELECT json_build_object('workspaceId', workspace_id, 'role', role) FROM workspace_users
      WHERE user_id = person.id
        AND (${workspaceId ?? null}::uuid IS NULL OR workspace_id = ${workspaceId ?? null}::uuid)
      ORDER BY created_at, workspace_id LIMIT 1
    ) AS membership
    FROM users person WHERE person.email = ${email}`);
  return rows[0];
}

export interface Account {
  userId: string;
  passwordHash: string | null;
  hasSecondFactor: boolean;
}

/** A user whom only this workspace has named has none. Runs before a workspace is known. */
export async function findAccount(
  database: Database,
  email: string,
  workspaceId: string,
): Promise<Account | undefined> {
  // Raw: one statement, so that an unknown e-mail takes as long as a known one.
  const rows = await database.$queryRaw<Account[]>(Prisma.sql`
    SELECT person.id AS "userId", person.password_hash AS "passwordHash",
      EXISTS (SELECT FROM second_factors WHERE user_id = person.id AND confirmed_at IS NOT NULL) AS "hasSecondFactor"
    FROM users person
    WHERE person.email = ${email} AND person.invited_by_workspace_id IS DISTINCT FROM ${workspaceId}::uuid`);
  return rows[0];
}

export async function findPasswordHash(database: Database, userId: string): Promise<string | null> {
  const found = await database.user.findUnique({ where: { id: userId }, select: { passwordHash: true } });
  return found?.passwordHash ?? null;
}

/** Not scoped to a workspace: the user may be in several. */
export async function setName(database: Database, userId: string, name: string): Promise<void> {
  await database.user.updateMany({ where: { id: userId }, data: { name } });
}

/** Ends sessions and login tokens, except `kept`. False if the hash is not `instead` (null: none; undefined: any). */
export async function setPassword(
  database: Database,
  userId: string,
  passwordHash: string,
  { kept, instead }: { kept: string | null; instead?: string | null },
): Promise<boolean> {
  const isProved = instead === undefined ? Prisma.sql`true` : Prisma.sql`password_hash IS NOT DISTINCT FROM ${instead}`;
  // Raw: the statement that sets the new password ends the sessions that began with the old one.
  const rows = await database.$queryRaw<object[]>(Prisma.sql`
    WITH person AS (
      UPDATE users SET password_hash = ${passwordHash} WHERE id = ${userId}::uuid AND ${isProved} RETURNING id
    ), ${endLogins('person', kept)}, no_tokens AS (
      DELETE FROM login_tokens USING person WHERE login_tokens.user_id = person.id
    )
    SELECT id FROM person`);
  if (rows.length === 0) return false;
  // Concurrent logins with the old password may have started sessions. Nobody knows the new one yet.
  await database.session.deleteMany({ where: { userId, ...(kept === null ? {} : { id: { not: kept } }) } });
  await database.pendingLogin.deleteMany({ where: { userId } });
  return true;
}
