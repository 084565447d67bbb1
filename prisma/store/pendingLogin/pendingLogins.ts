import type { Role } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { memberAtLogin } from '../workspaceUser/memberAtLogin.ts';

export interface NewPendingLogin {
  tokenHash: Uint8Array<ArrayBuffer>;
  userId: string;
  /** The hash that was checked; undefined if the login uses a token. */
  passwordHash?: string | undefined;
  /** The second factor counts as a recent login, because the first factor was not a link. */
  isProof: boolean;
  expiresAt: Date;
}

/** Starts a login that waits for the second factor. False if the member was removed or the password has changed. */
export async function insertPendingLogin(
  database: Database,
  workspaceId: string,
  login: NewPendingLogin,
): Promise<boolean> {
  // Raw: checks member and password in the statement that inserts.
  const inserted = await database.$executeRaw(Prisma.sql`
    INSERT INTO pending_logins (token_hash, workspace_id, user_id, is_proof, expires_at)
    SELECT ${login.tokenHash}, proved.workspace_id, proved.user_id, ${login.isProof}, ${login.expiresAt}::timestamptz
    FROM (${memberAtLogin(workspaceId, login)}) proved`);
  return inserted === 1;
}

export interface PendingLogin {
  workspaceId: string;
  userId: string;
  email: string;
  role: Role;
  isProof: boolean;
}

/**
 * Spends one of `tries` before any comparison. Undefined if unknown, expired or used up. Before a workspace is known.
 */
export async function tryPendingLogin(
  database: Database,
  tokenHash: Uint8Array<ArrayBuffer>,
  tries: number,
): Promise<PendingLogin | undefined> {
  const rows = await database.$queryRaw<PendingLogin[]>(Prisma.sql`
    UPDATE pending_logins login SET tries = tries + 1
    FROM workspace_users member JOIN users person ON person.id = member.user_id
    WHERE login.token_hash = ${tokenHash} AND login.expires_at > now() AND login.tries < ${tries}::int
      AND member.workspace_id = login.workspace_id AND member.user_id = login.user_id
    RETURNING login.workspace_id AS "workspaceId", login.user_id AS "userId", login.is_proof AS "isProof", person.email,
      member.role`);
  return rows[0];
}

export async function endPendingLogin(database: Database, tokenHash: Uint8Array<ArrayBuffer>): Promise<boolean> {
  return (await database.pendingLogin.deleteMany({ where: { tokenHash } })).count === 1;
}
