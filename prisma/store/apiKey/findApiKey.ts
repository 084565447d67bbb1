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

/** The key that is neither revoked nor expired; for a while after a rotation also by the secret that was before. Before a workspace is known, so by the hash alone. */
export async function findApiKey(database: Database, hash: Uint8Array): Promise<FoundApiKey | undefined> {
  const [found] = await matching(database, Prisma.sql`key_hash = ${hash}`);
  if (found) return found;
  const [before] = await matching(database, Prisma.sql`previous_key_hash = ${hash} AND previous_valid_until > now()`);
  return before;
}

function matching(database: Database, condition: Prisma.Sql): Promise<FoundApiKey[]> {
  // Raw: every request runs it; and the database's clock decides.
  return rowsOf<FoundApiKey>(
    database,
    Prisma.sql`
    SELECT id, workspace_id AS "workspaceId", permissions,
      COALESCE(last_used_at < now() - interval '1 minute', true) AS "touchDue"
    FROM api_keys
    WHERE ${condition} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
  );
}

/** The current permissions of the key; undefined if it is revoked, expired or deleted, or this is no secret of it any more. */
export async function findLiveApiKey(
  database: Database,
  workspaceId: string,
  { apiKeyId, keyHash }: { apiKeyId: string; keyHash: Uint8Array },
): Promise<{ permissions: string[] } | undefined> {
  // Raw: the database's clock decides.
  const rows = await rowsOf<{ permissions: string[] }>(
    database,
    Prisma.sql`SELECT permissions FROM api_keys WHERE id = ${apiKeyId}::uuid AND workspace_id = ${workspaceId}::uuid
      AND (key_hash = ${keyHash} OR (previous_key_hash = ${keyHash} AND previous_valid_until > now()))
      AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
  );
  return rows[0];
}

export interface CurrentApiKey {
  apiKey: { id: string; name: string };
  workspace: { id: string; name: string };
}

export async function readCurrentApiKey(
  database: Database,
  workspaceId: string,
  id: string,
): Promise<CurrentApiKey | undefined> {
  const row = await database.apiKey.findFirst({
    where: { id, workspaceId },
    select: { id: true, name: true, workspace: { select: { id: true, name: true } } },
  });
  return row === null ? undefined : { apiKey: { id: row.id, name: row.name }, workspace: row.workspace };
}
