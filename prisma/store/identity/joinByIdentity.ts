import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { noLogins } from '../session/noLogins.ts';

export interface ProvedIdentity {
  providerId: string;
  issuer: string;
  subject: string;
  /** The person to admit for an unknown identity; absent if admission is not allowed. */
  newcomer?: { id: string; email: string; name: string; role: Role } | undefined;
}

/**
 * The person of an identity, who is a member of the workspace. An unknown identity becomes the person with the e-mail
 * address, created if there is none, and joins. A person under that address who never verified it loses all logins.
 * Undefined if the person may not join, or was removed.
 */
export async function joinByIdentity(
  database: Database,
  workspaceId: string,
  { providerId, issuer, subject, newcomer }: ProvedIdentity,
): Promise<string | undefined> {
  // Raw: person, place and identity are made in one statement, so that of two first logins both find the same.
  const rows = await database.$queryRaw<{ userId: string }[]>(Prisma.sql`
    WITH known AS (
      SELECT user_id FROM identities
      WHERE provider_id = ${providerId} AND issuer = ${issuer} AND subject = ${subject}
    ), pretender AS (
      SELECT id FROM users
      WHERE email = ${newcomer?.email ?? null} AND invited_by_workspace_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM known)
    ), ${noLogins('pretender')}, no_tokens AS (
      DELETE FROM login_tokens USING pretender WHERE login_tokens.user_id = pretender.id
    ), no_factor AS (
      DELETE FROM second_factors USING pretender WHERE second_factors.user_id = pretender.id
    ), person AS (
      INSERT INTO users (id, email, name)
      SELECT ${newcomer?.id ?? null}::uuid, ${newcomer?.email ?? null}, ${newcomer?.name ?? null}
      WHERE ${newcomer !== undefined} AND NOT EXISTS (SELECT 1 FROM known)
        AND EXISTS (SELECT 1 FROM workspaces WHERE id = ${workspaceId}::uuid)
      ON CONFLICT (email) DO UPDATE SET invited_by_workspace_id = NULL,
        password_hash = CASE WHEN users.invited_by_workspace_id IS NULL THEN users.password_hash END
      RETURNING id
    ), joined AS (
      INSERT INTO workspace_users (workspace_id, user_id, role)
      SELECT ${workspaceId}::uuid, id, ${newcomer?.role ?? null} FROM person
      ON CONFLICT DO NOTHING
    ), named AS (
      INSERT INTO identities (provider_id, issuer, subject, user_id)
      SELECT ${providerId}, ${issuer}, ${subject}, id FROM person
      ON CONFLICT DO NOTHING
    )
    SELECT id AS "userId" FROM person
    UNION ALL
    SELECT known.user_id FROM known
    JOIN workspace_users member ON member.user_id = known.user_id AND member.workspace_id = ${workspaceId}::uuid`);
  return rows[0]?.userId;
}
