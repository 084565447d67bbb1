import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { anotherOwner, ownersLocked } from './ownersLocked.ts';

/**
 * Takes the person's place in the workspace away, and with it sessions, hidden tokens (by their bonds), grants and, where it is
 * asked for, the API keys that they made. False where the person is the last owner, or no member; then nothing has changed.
 */
export async function removeWorkspaceUser(
  database: Database,
  workspaceId: string,
  userId: string,
  { revokeKeys }: { revokeKeys: boolean },
): Promise<boolean> {
  // Raw: all of it or nothing, and whether an owner remains is decided with the owners locked.
  const rows = await database.$queryRaw<object[]>(Prisma.sql`
    WITH ${ownersLocked(workspaceId)}, removed AS (
      DELETE FROM workspace_users
      WHERE workspace_id = ${workspaceId}::uuid AND user_id = ${userId}::uuid AND ${anotherOwner(userId)}
      RETURNING user_id
    ), no_grants AS (
      DELETE FROM share_grants USING removed
      WHERE share_grants.workspace_id = ${workspaceId}::uuid AND share_grants.user_id = removed.user_id
    ), no_keys AS (
      UPDATE api_keys SET revoked_at = now() FROM removed
      WHERE ${revokeKeys} AND api_keys.workspace_id = ${workspaceId}::uuid
        AND api_keys.created_by_user_id = removed.user_id AND api_keys.revoked_at IS NULL
    )
    SELECT user_id FROM removed`);
  return rows.length === 1;
}
