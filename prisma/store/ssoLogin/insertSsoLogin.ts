import type { Database } from '../../client.ts';

export interface NewSsoLogin {
  stateHash: Uint8Array<ArrayBuffer>;
  browserHash: Uint8Array<ArrayBuffer>;
  providerId: string;
  nonce: string;
  /** Sealed. */
  codeVerifier: Uint8Array<ArrayBuffer>;
  keyId: string;
  expiresAt: Date;
}

/** Somebody who leaves for an identity provider. Before a person or a workspace is known. */
export async function insertSsoLogin(database: Database, login: NewSsoLogin): Promise<void> {
  await database.ssoLogin.create({ data: login });
}
