import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface NewMember {
  /** Id of a new person. */
  id: string;
  email: string;
  name: string;
  passwordHash: string;
  role: Role;
}

export type MemberInsertion =
  | { outcome: 'joined'; userId: string }
  | { outcome: 'workspaceUnknown' }
  | { outcome: 'alreadyMember' };

/** Makes the person, unless the e-mail is known (then all of theirs stays), and gives them a place in the workspace. */
export async function insertMember(
  database: Database,
  workspaceId: string,
  member: NewMember,
): Promise<MemberInsertion> {
  // Raw: person and place are made in one statement, and it says which of them was there.
  const rows = await database.$queryRaw<{ known: boolean; userId: string | null }[]>(Prisma.sql`
    WITH workspace AS (
      SELECT id FROM workspaces WHERE id = ${workspaceId}::uuid
    ), person AS (
      INSERT INTO users (id, email, name, password_hash)
      SELECT ${member.id}::uuid, ${member.email}, ${member.name}, ${member.passwordHash} FROM workspace
      ON CONFLICT (email) DO UPDATE SET email = EXCLUDED.email
      RETURNING id
    ), joined AS (
      INSERT INTO workspace_users (workspace_id, user_id, role)
      SELECT workspace.id, person.id, ${member.role} FROM workspace, person
      ON CONFLICT DO NOTHING
      RETURNING user_id
    )
    SELECT EXISTS (SELECT 1 FROM workspace) AS known, (SELECT user_id FROM joined) AS "userId"`);
  const row = rows[0];
  if (!row?.known) return { outcome: 'workspaceUnknown' };
  return row.userId === null ? { outcome: 'alreadyMember' } : { outcome: 'joined', userId: row.userId };
}
