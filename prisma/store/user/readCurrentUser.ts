import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface CurrentUser {
  id: string;
  email: string;
  name: string;
  workspace: { id: string; name: string };
  role: Role;
  /** All workspaces of the user, in the order of joining. */
  workspaces: { id: string; name: string; role: Role }[];
  twoFactorEnabled: boolean;
  hasPassword: boolean;
  hasSingleSignOn: boolean;
}

export async function readCurrentUser(
  database: Database,
  workspaceId: string,
  userId: string,
): Promise<CurrentUser | undefined> {
  const rows = await database.$queryRaw<CurrentUser[]>(Prisma.sql`
    SELECT person.id, person.email, person.name, member.role,
      EXISTS (SELECT 1 FROM second_factors WHERE user_id = person.id AND confirmed_at IS NOT NULL) AS "twoFactorEnabled",
      person.password_hash IS NOT NULL AS "hasPassword",
      EXISTS (SELECT 1 FROM identities WHERE user_id = person.id) AS "hasSingleSignOn",
      json_build_object('id', workspace.id, 'name', workspace.name) AS workspace,
      (
        SELECT json_agg(json_build_object('id', joined.id, 'name', joined.name, 'role', place.role)
          ORDER BY place.created_at, joined.id)
        FROM workspace_users place JOIN workspaces joined ON joined.id = place.workspace_id
        WHERE place.user_id = person.id
      ) AS workspaces
    FROM workspace_users member
    JOIN users person ON person.id = member.user_id
    JOIN workspaces workspace ON workspace.id = member.workspace_id
    WHERE member.workspace_id = ${workspaceId}::uuid AND member.user_id = ${userId}::uuid`);
  return rows[0];
}
