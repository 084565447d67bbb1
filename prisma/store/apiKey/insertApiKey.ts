import type { Permission } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface ApiKeyRow {
  id: string;
  name: string;
  hash: Uint8Array;
  prefix: string;
  permissions: readonly Permission[];
  /** Null: never. */
  expiresAt: Date | null;
  /** Null: the operator, or another key. */
  createdByUserId?: string | null;
}

/**
 * Whether there is such a workspace; nothing is stored otherwise. A second try with the same id, whose first was never answered,
 * keeps the new key.
 */
export async function insertApiKey(database: Database, workspaceId: string, key: ApiKeyRow): Promise<boolean> {
  // Raw: it is made only where its workspace is there, in one statement.
  const inserted = await database.$executeRaw(Prisma.sql`
    INSERT INTO api_keys (id, workspace_id, name, key_hash, prefix, permissions, expires_at, created_by_user_id)
    SELECT ${key.id}::uuid, id, ${key.name}, ${key.hash}, ${key.prefix}, ${[...key.permissions]}::text[],
      ${key.expiresAt}::timestamptz, ${key.createdByUserId ?? null}::uuid
    FROM workspaces WHERE id = ${workspaceId}::uuid
    ON CONFLICT (id) DO UPDATE SET key_hash = EXCLUDED.key_hash, prefix = EXCLUDED.prefix
    WHERE api_keys.workspace_id = EXCLUDED.workspace_id`);
  return inserted === 1;
}
