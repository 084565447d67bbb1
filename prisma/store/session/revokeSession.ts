import type { Database } from '../../client.ts';

/** Ends a login: its refresh token and its access tokens count no more. */
export async function revokeSession(database: Database, workspaceId: string, id: string): Promise<void> {
  await database.session.updateMany({ where: { id, workspaceId, revokedAt: null }, data: { revokedAt: new Date() } });
}
