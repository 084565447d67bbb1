import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { catalogueRevision } from '../app/manifests.ts';

export interface FoundApiKey {
  id: string;
  workspaceId: string;
  permissions: string[];
  /** Its last use was recorded more than a minute ago, or never. */
  touchDue: boolean;
  appsRevision: number;
}

/** Finds an active key, also by its previous secret in the grace period. The workspace is not known yet. */
export async function findApiKey(database: Database, hash: Uint8Array): Promise<FoundApiKey | undefined> {
  const [found] = await matching(database, Prisma.sql`key_hash = ${hash}`);
  if (found) return found;
  const [before] = await matching(database, Prisma.sql`previous_key_hash = ${hash} AND previous_valid_until > now()`);
  return before;
}

function matching(database: Database, condition: Prisma.Sql): Promise<FoundApiKey[]> {
  // Raw: every request runs it, and the database's clock decides.
  return rowsOf<FoundApiKey>(
    database,
    Prisma.sql`
    SELECT id, workspace_id AS "workspaceId", permissions,
      COALESCE(last_used_at < now() - interval '1 minute', true) AS "touchDue",
      ${catalogueRevision(Prisma.sql`api_keys.workspace_id`)} AS "appsRevision"
    FROM api_keys
    WHERE ${condition} AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`,
  );
}

/** Permissions by hexadecimal secret hash, of valid keys and secrets. */
export async function findLiveApiKeys(
  database: Database,
  workspaceId: string,
  keys: readonly { apiKeyId: string; keyHash: Uint8Array }[],
): Promise<Map<string, string[]>> {
  const ids = keys.map(({ apiKeyId }) => apiKeyId);
  const hashes = keys.map(({ keyHash }) => Buffer.from(keyHash).toString('hex'));
  const rows = await rowsOf<{ hash: string; permissions: string[] }>(
    database,
    Prisma.sql`SELECT x.hash, k.permissions
      FROM unnest(${ids}::uuid[], ${hashes}::text[]) AS x(id, hash) JOIN api_keys k ON k.id = x.id
      WHERE k.workspace_id = ${workspaceId}::uuid AND (k.key_hash = decode(x.hash, 'hex')
        OR (k.previous_key_hash = decode(x.hash, 'hex') AND k.previous_valid_until > now()))
      AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())`,
  );
  return new Map(rows.map(({ hash, permissions }) => [hash, permissions]));
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
