import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { IS_OPEN } from '../invitation/acceptInvitation.ts';
import { claimOfAddress } from '../user/claimAddress.ts';

export interface ProvedIdentity {
  providerId: string;
  issuer: string;
  subject: string;
  /** The person to admit for an unknown identity; absent if admission is not allowed. */
  newcomer?: { id: string; email: string; name: string; role: Role } | undefined;
}

/**
 * The person of an identity, who is a member of the workspace. An unknown identity becomes the person with the e-mail
 * address, created if there is none, and joins; a person whom a workspace has only named by it is taken over. An invitation to
 * the workspace is accepted by it, with its role. Undefined if the person may not join, or was removed.
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
  // Raw: person, place and identity are made in one statement, so that of two first logins both find the same.
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
