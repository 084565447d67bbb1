import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { IS_OPEN } from '../invitation/acceptInvitation.ts';
import { claimOfAddress } from '../user/claimAddress.ts';

export interface ProvedIdentity {
  providerId: string;
  issuer: string;
  subject: string;
  /** Absent if admission is not allowed. */
  newcomer?: { id: string; email: string; name: string; role: Role } | undefined;
}

/**
 * An unknown identity is linked to the user with the e-mail address, who is created if missing. A user whom a workspace
 * has only named is taken over. An invitation is accepted, with its role. Undefined if the user may not join.
 */
export async function joinByIdentity(
  database: Database,
  workspaceId: string,
  { providerId, issuer, subject, newcomer }: ProvedIdentity,
): Promise<string | undefined> {
  const claim = claimOfAddress({
    email: newcomer?.email ?? '',
    id: newcomer?.id ?? null,
    name: newcomer?.name ?? null,
    passwordHash: null,
    namedBy: null,
    workspaceId,
  });
  // Raw: one statement creates user, membership and identity, so two concurrent first logins get the same user.
  const rows = await database.$queryRaw<{ userId: string }[]>(Prisma.sql`
    WITH known AS (
      SELECT identities.user_id, users.email FROM identities JOIN users ON users.id = identities.user_id
      WHERE provider_id = ${providerId} AND issuer = ${issuer} AND subject = ${subject}
    ), claimed AS (
      SELECT c.person_id AS user_id FROM (
        SELECT FROM workspaces
        WHERE id = ${workspaceId}::uuid AND ${newcomer !== undefined} AND NOT EXISTS (SELECT FROM known)
      ) unknown, ${claim} c
    ), invited AS (
      DELETE FROM invitations t
      WHERE t.workspace_id = ${workspaceId}::uuid AND ${IS_OPEN}
        AND t.email = COALESCE((SELECT email FROM known), (SELECT ${newcomer?.email ?? null}::text FROM claimed))
      RETURNING t.role
    ), joined AS (
      INSERT INTO workspace_users (workspace_id, user_id, role)
      SELECT ${workspaceId}::uuid, user_id, COALESCE((SELECT role FROM invited), ${newcomer?.role ?? null}) FROM claimed
      UNION ALL SELECT ${workspaceId}::uuid, known.user_id, invited.role FROM known, invited
      ON CONFLICT DO NOTHING
      RETURNING user_id
    ), named AS (
      INSERT INTO identities (provider_id, issuer, subject, user_id)
      SELECT ${providerId}, ${issuer}, ${subject}, user_id FROM claimed
      ON CONFLICT DO NOTHING
    )
    SELECT user_id AS "userId" FROM claimed
    UNION ALL SELECT known.user_id FROM known WHERE EXISTS (SELECT FROM joined)
    UNION ALL
    SELECT known.user_id FROM known
    JOIN workspace_users member ON member.user_id = known.user_id AND member.workspace_id = ${workspaceId}::uuid`);
  return rows[0]?.userId;
}
