import type { Database } from '../../client.ts';

/** The login has its second factor. False where another request was first. */
export async function endPendingLogin(database: Database, tokenHash: Uint8Array<ArrayBuffer>): Promise<boolean> {
  return (await database.pendingLogin.deleteMany({ where: { tokenHash } })).count === 1;
}
