import type { Database } from '../../client.ts';

export interface NewPendingLogin {
  tokenHash: Uint8Array<ArrayBuffer>;
  userId: string;
  expiresAt: Date;
}

/** A login that waits for the second factor. */
export async function insertPendingLogin(
  database: Database,
  workspaceId: string,
  login: NewPendingLogin,
): Promise<void> {
  await database.pendingLogin.create({ data: { ...login, workspaceId } });
}
