import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface NewSsoLogin {
  stateHash: Uint8Array<ArrayBuffer>;
  browserHash: Uint8Array<ArrayBuffer>;
  providerId: string;
  nonce: string;
  codeVerifier: Uint8Array<ArrayBuffer>;
  keyId: string;
  expiresAt: Date;
}

/** Runs before a user or a workspace is known. */
export async function insertSsoLogin(database: Database, login: NewSsoLogin): Promise<void> {
  await database.ssoLogin.create({ data: login });
}

export interface TakenSsoLogin {
  nonce: string;
  codeVerifier: Uint8Array<ArrayBuffer>;
  keyId: string;
}

/** Undefined if unknown, used or expired; or begun at another provider or in another browser, where it stays valid. */
export async function takeSsoLogin(
  database: Database,
  login: { stateHash: Uint8Array<ArrayBuffer>; browserHash: Uint8Array<ArrayBuffer>; providerId: string },
): Promise<TakenSsoLogin | undefined> {
  // Raw: only one of two concurrent calls gets it, by the database's clock.
  const rows = await database.$queryRaw<TakenSsoLogin[]>(Prisma.sql`
    DELETE FROM sso_logins
    WHERE state_hash = ${login.stateHash} AND browser_hash = ${login.browserHash}
      AND provider_id = ${login.providerId} AND expires_at > now()
    RETURNING nonce, code_verifier AS "codeVerifier", key_id AS "keyId"`);
  return rows[0];
}
