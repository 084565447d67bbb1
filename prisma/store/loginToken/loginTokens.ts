import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { noLogins } from '../session/noLogins.ts';

export interface NewLoginToken {
  tokenHash: Uint8Array<ArrayBuffer>;
  userId: string;
  asksSecondFactor: boolean;
  expiresAt: Date;
}

/** A hidden token, good for one login. */
export async function insertLoginToken(database: Database, workspaceId: string, token: NewLoginToken): Promise<void> {
  await database.loginToken.create({ data: { ...token, workspaceId } });
}

export interface TakenLogin {
  workspaceId: string;
  userId: string;
  role: Role;
  /** The token asks for the second factor, and the person has one. */
  asksSecondFactor: boolean;
}

/**
 * Consumes a hidden token. A token from an e-mail verifies the address of the person: earlier logins under the
 * unverified address are revoked. Undefined if it is unknown, used or expired. Runs before a workspace is known.
 */
export async function takeLoginToken(
  database: Database,
  tokenHash: Uint8Array<ArrayBuffer>,
): Promise<TakenLogin | undefined> {
  // Raw: of two that bring it one gets it, by the database's clock.
  const rows = await database.$queryRaw<TakenLogin[]>(Prisma.sql`
    WITH taken AS (DELETE FROM login_tokens WHERE token_hash = ${tokenHash} AND expires_at > now() RETURNING *), proved AS (
      UPDATE users SET invited_by_workspace_id = NULL, password_hash = NULL FROM taken
      WHERE taken.proves_email AND users.id = taken.user_id AND users.invited_by_workspace_id IS NOT NULL
      RETURNING users.id
    ), ${noLogins('proved')}
    SELECT member.workspace_id AS "workspaceId", member.user_id AS "userId", member.role,
      taken.asks_second_factor AND EXISTS (
        SELECT 1 FROM second_factors factor WHERE factor.user_id = taken.user_id AND factor.confirmed_at IS NOT NULL
      ) AS "asksSecondFactor"
    FROM taken JOIN workspace_users member USING (workspace_id, user_id)`);
  return rows[0];
}
