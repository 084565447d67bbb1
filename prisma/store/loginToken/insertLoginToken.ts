import type { Database } from '../../client.ts';

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
