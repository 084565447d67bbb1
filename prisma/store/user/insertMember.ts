import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { type Claim, claimOfAddress } from './claimAddress.ts';

export interface NewMember {
  id: string;
  email: string;
  name: string;
  /** Password of a user who is new or taken over. */
  passwordHash: string;
  role: Role;
}

export type MemberInsertion =
  | { outcome: 'joined'; userId: string; claim: Claim }
  | { outcome: 'workspaceUnknown' }
  | { outcome: 'alreadyMember' };

/** Adds on the operator's behalf: a user with a proved address stays unchanged, a merely named one is taken over. */
export async function insertMember(
  database: Database,
  workspaceId: string,
  member: NewMember,
): Promise<MemberInsertion> {
  const { id, email, name, passwordHash, role } = member;
  const claim = claimOfAddress({ email, id, name, passwordHash, namedBy: null, workspaceId });
  const rows = await database.$queryRaw<{ known: boolean; userId: string | null; claim: Claim }[]>(Prisma.sql`
    WITH workspace AS (
      SELECT id FROM workspaces WHERE id = ${workspaceId}::uuid
    ), person AS (
      SELECT claimed.* FROM (
        SELECT FROM workspace WHERE NOT EXISTS (
          SELECT FROM workspace_users place JOIN users ON users.id = place.user_id
          WHERE place.workspace_id = workspace.id AND users.email = ${email}
        )
      ) fresh, ${claim} claimed
    ), joined AS (
      INSERT INTO workspace_users (workspace_id, user_id, role)
      SELECT ${workspaceId}::uuid, person_id, ${role} FROM person
      ON CONFLICT DO NOTHING
      RETURNING user_id
    ), no_invitation AS (
      DELETE FROM invitations USING joined WHERE workspace_id = ${workspaceId}::uuid AND email = ${email}
    )
    SELECT EXISTS (SELECT 1 FROM workspace) AS known, (SELECT user_id FROM joined) AS "userId",
      (SELECT person.claim FROM person) AS claim`);
  const row = rows[0];
  if (!row?.known) return { outcome: 'workspaceUnknown' };
  const { userId } = row;
  return userId === null ? { outcome: 'alreadyMember' } : { outcome: 'joined', userId, claim: row.claim };
}
