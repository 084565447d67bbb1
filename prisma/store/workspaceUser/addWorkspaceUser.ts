import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface AddedUser {
  /** Id of a new person. */
  id: string;
  email: string;
  name: string;
  role: Role;
}

export type Addition =
  /** `needsInvitation`: the person has no way in yet. */
  | { outcome: 'joined'; userId: string; needsInvitation: boolean }
  /** `hasRole`: the one that they were to be given. */
  | { outcome: 'alreadyMember'; userId: string; needsInvitation: boolean; hasRole: boolean }
  /** Another workspace has named the address, and nobody has shown that it is theirs. */
  | { outcome: 'unproved' };

interface Row {
  userId: string;
  isNew: boolean;
  hasJoined: boolean;
  isMember: boolean;
  hasRole: boolean;
  needsInvitation: boolean;
}

/**
 * Adds the person with an e-mail address to the workspace, and creates the person if there is none. A former invited
 * person begins again. A second try with the same id, after an unanswered first, changes nothing.
 */
export async function addWorkspaceUser(database: Database, workspaceId: string, added: AddedUser): Promise<Addition> {
  const { id, email, name, role } = added;
  const comesBack = Prisma.sql`users.invited_by_workspace_id = ${workspaceId}::uuid AND NOT EXISTS (
    SELECT FROM workspace_users member WHERE member.workspace_id = ${workspaceId}::uuid AND member.user_id = users.id)`;
  // Raw: person and place are made in one statement, and it says which of them was there.
  const [row] = await database.$queryRaw<Row[]>(Prisma.sql`
    WITH no_factor AS (
      DELETE FROM second_factors USING users
      WHERE users.email = ${email} AND second_factors.user_id = users.id AND ${comesBack}
    ), person AS (
      INSERT INTO users (id, email, name, invited_by_workspace_id)
      VALUES (${id}::uuid, ${email}, ${name}, ${workspaceId}::uuid)
      ON CONFLICT (email) DO UPDATE SET
        name = CASE WHEN ${comesBack} THEN EXCLUDED.name ELSE users.name END,
        password_hash = CASE WHEN ${comesBack} THEN NULL ELSE users.password_hash END
      RETURNING id, password_hash, invited_by_workspace_id
    ), joined AS (
      INSERT INTO workspace_users (workspace_id, user_id, role)
      SELECT ${workspaceId}::uuid, id, ${role} FROM person
      WHERE invited_by_workspace_id IS NULL OR invited_by_workspace_id = ${workspaceId}::uuid
      ON CONFLICT DO NOTHING
      RETURNING user_id
    )
    SELECT person.id AS "userId", person.id = ${id}::uuid AS "isNew", EXISTS (SELECT FROM joined) AS "hasJoined",
      EXISTS (
        SELECT FROM workspace_users WHERE workspace_id = ${workspaceId}::uuid AND user_id = person.id
      ) AS "isMember",
      EXISTS (
        SELECT FROM workspace_users WHERE workspace_id = ${workspaceId}::uuid AND user_id = person.id AND role = ${role}
      ) AS "hasRole",
      person.password_hash IS NULL AND person.invited_by_workspace_id IS NOT NULL AS "needsInvitation"
    FROM person`);
  if (!row) throw new Error('an upsert without a row');
  const { userId, isNew, hasJoined, isMember, needsInvitation, hasRole } = row;
  if (hasJoined || (isMember && isNew)) return { outcome: 'joined', userId, needsInvitation };
  return isMember ? { outcome: 'alreadyMember', userId, needsInvitation, hasRole } : { outcome: 'unproved' };
}
