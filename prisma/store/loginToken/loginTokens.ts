import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface NewLoginToken {
  tokenHash: Uint8Array<ArrayBuffer>;
  userId: string;
  asksSecondFactor: boolean;
  expiresAt: Date;
}

export async function insertLoginToken(database: Database, workspaceId: string, token: NewLoginToken): Promise<void> {
  await database.loginToken.create({ data: { ...token, workspaceId } });
}

export interface TakenLogin {
  workspaceId: string;
  userId: string;
  role: Role;
  asksSecondFactor: boolean;
  /** The token came from single sign-on, where the person has just authenticated. */
  isProof: boolean;
}

/**
 * A token from an e-mail proves the address: a user whom a workspace has only named is taken over. `firstPassword`:
 * hash for a user without one. Undefined if unknown, used or expired. Runs before a workspace is known.
 */
export async function takeLoginToken(
  database: Database,
  tokenHash: Uint8Array<ArrayBuffer>,
  firstPassword: string | null = null,
): Promise<TakenLogin | undefined> {
  // Raw: one of two concurrent uses gets it, by the database's clock; address and password are set in the same statement.
  const rows = await database.$queryRaw<TakenLogin[]>(Prisma.sql`
    WITH taken AS (DELETE FROM login_tokens WHERE token_hash = ${tokenHash} AND expires_at > now() RETURNING *), claimed AS (
      SELECT claimed.claim FROM taken JOIN users ON users.id = taken.user_id,
        claim_address(users.email, NULL, NULL, NULL, NULL, NULL) claimed
      WHERE taken.proves_email
    ), protected AS (
      UPDATE users SET password_hash = ${firstPassword} FROM taken
      WHERE users.id = taken.user_id AND users.password_hash IS NULL AND ${firstPassword !== null}
    )
    SELECT member.workspace_id AS "workspaceId", member.user_id AS "userId", member.role,
      NOT taken.asks_second_factor AS "isProof",
      taken.asks_second_factor AND claimed.claim IS DISTINCT FROM 'takenOver' AND EXISTS (
        SELECT 1 FROM second_factors factor WHERE factor.user_id = taken.user_id AND factor.confirmed_at IS NOT NULL
      ) AS "asksSecondFactor"
    FROM taken JOIN workspace_users member USING (workspace_id, user_id) LEFT JOIN claimed ON true`);
  return rows[0];
}
