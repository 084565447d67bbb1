import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

export interface FoundApiKey {
  id: string;
  workspaceId: string;
  permissions: string[];
  /** Its last use was recorded more than a minute ago, or never. */
  touchDue: boolean;
}

/** The key that is neither revoked nor expired. Before a workspace is known, so by the hash alone. */
export async function findApiKey(database: Database, hash: Uint8Array): Promise<FoundApiKey | undefined> {
  // Raw: every request runs it; and the database's clock decides.
  const rows = await rowsOf<FoundApiKey>(
    database,
    Prisma.sql`
    SELECT id, workspace_id AS "workspaceId", permissions,
      COALESCE(last_used_at < now() - interval '1 minute', true) AS "touchDue"
    FROM api_keys
    WHERE key_hash = ${hash} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
  );
  return rows[0];
}
