import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

/** What the key may do now; undefined once it is revoked, expired or gone. */
export async function findLiveApiKey(
  database: Database,
  workspaceId: string,
  id: string,
): Promise<{ permissions: string[] } | undefined> {
  // Raw: the database's clock decides.
  const rows = await rowsOf<{ permissions: string[] }>(
    database,
    Prisma.sql`SELECT permissions FROM api_keys WHERE id = ${id}::uuid AND workspace_id = ${workspaceId}::uuid
      AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
  );
  return rows[0];
}
