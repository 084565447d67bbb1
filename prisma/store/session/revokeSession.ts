import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** Ends a login: its refresh token and its access tokens count no more. */
export async function revokeSession(database: Database, workspaceId: string, id: string): Promise<void> {
  await database.$executeRaw(Prisma.sql`
    UPDATE sessions SET revoked_at = now()
    WHERE id = ${id}::uuid AND workspace_id = ${workspaceId}::uuid AND revoked_at IS NULL`);
}
