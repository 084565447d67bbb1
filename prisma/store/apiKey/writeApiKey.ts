import type { Credential } from '../../../domain/access/credential.ts';
import type { Permission } from '../../../domain/access/permission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface ApiKeyRow {
  id: string;
  name: string;
  hash: Uint8Array;
  prefix: string;
  permissions: readonly Permission[];
  expiresAt: Date | null;
  /** Absent: the operator. */
  madeBy?: Credential;
}

/**
 * False if the workspace does not exist. A second try with the same id, after an unanswered first, keeps the new key.
 */
export async function insertApiKey(database: Database, workspaceId: string, key: ApiKeyRow): Promise<boolean> {
  const { madeBy } = key;
  const userId = madeBy?.type === 'user' ? madeBy.id : null;
  const apiKeyId = madeBy?.type === 'apiKey' ? madeBy.id : null;
  // Raw: one statement checks the workspace and inserts the key; a key made by a key belongs to the same creator.
  const inserted = await database.$executeRaw(Prisma.sql`
    INSERT INTO api_keys (id, workspace_id, name, key_hash, prefix, permissions, expires_at, created_by_user_id,
      made_by_api_key_id)
    SELECT ${key.id}::uuid, w.id, ${key.name}, ${key.hash}, ${key.prefix}, ${[...key.permissions]}::text[],
      ${key.expiresAt}::timestamptz, COALESCE(${userId}::uuid, made.created_by_user_id),
      CASE WHEN made.created_by_user_id IS NULL THEN COALESCE(made.made_by_api_key_id, made.id) END
    FROM workspaces w LEFT JOIN api_keys made ON made.id = ${apiKeyId}::uuid AND made.workspace_id = w.id
    WHERE w.id = ${workspaceId}::uuid
    ON CONFLICT (id) DO UPDATE SET key_hash = EXCLUDED.key_hash, prefix = EXCLUDED.prefix
    WHERE api_keys.workspace_id = EXCLUDED.workspace_id`);
  return inserted === 1;
}

export interface Rotation {
  /** A second try with the same id, after an unanswered first, replaces only its key. */
  id: string;
  hash: Uint8Array;
  prefix: string;
  graceMs: number;
  by: Credential;
}

/** `gone`: it is revoked or expired. `others`: it belongs to another person, but its old secret was to stay valid. */
export type RotationOutcome = 'rotated' | 'gone' | 'others';

/** A key acts as its creator, who becomes the caller. Another person's old secret expires at once. */
export async function rotateApiKey(
  database: Database,
  workspaceId: string,
  apiKeyId: string,
  { id, hash, prefix, graceMs, by }: Rotation,
): Promise<RotationOutcome> {
  const userId = by.type === 'user' ? by.id : null;
  const keyId = by.type === 'apiKey' ? by.id : null;
  // Raw: by the database's clock; of two concurrent rotations the second replaces the first.
  const [row] = await database.$queryRaw<{ rotated: boolean }[]>(Prisma.sql`
    WITH present AS MATERIALIZED (
      SELECT k.id, person_of('apiKey', k.id) = person_of(${by.type}, ${by.id}::uuid) AS is_own FROM api_keys k
      WHERE k.id = ${apiKeyId}::uuid AND k.workspace_id = ${workspaceId}::uuid
        AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
      FOR UPDATE
    ), rotated AS (
      UPDATE api_keys t SET key_hash = ${hash}, prefix = ${prefix}, rotation_id = ${id}::uuid,
        previous_key_hash = CASE WHEN t.rotation_id = ${id}::uuid THEN t.previous_key_hash ELSE t.key_hash END,
        previous_valid_until = CASE WHEN t.rotation_id = ${id}::uuid THEN t.previous_valid_until
          ELSE now() + ${graceMs}::float8 * interval '1 millisecond' END,
        created_by_user_id = CASE WHEN p.is_own THEN t.created_by_user_id
          ELSE COALESCE(${userId}::uuid, made.created_by_user_id) END,
        made_by_api_key_id = CASE WHEN p.is_own THEN t.made_by_api_key_id
          WHEN ${userId}::uuid IS NULL AND made.created_by_user_id IS NULL THEN COALESCE(made.made_by_api_key_id, made.id) END
      FROM present p LEFT JOIN api_keys made ON made.id = ${keyId}::uuid AND made.workspace_id = ${workspaceId}::uuid
      WHERE t.id = p.id AND (p.is_own OR ${graceMs}::float8 = 0)
      RETURNING 1
    )
    SELECT EXISTS (SELECT FROM rotated) AS rotated FROM present`);
  if (!row) return 'gone';
  return row.rotated ? 'rotated' : 'others';
}

/** Returns the time of the first revocation; undefined without such a key. For the operator only: no workspace. */
export async function revokeApiKey(database: Database, id: string): Promise<Date | undefined> {
  // Raw: the first time stays, also if two revoke at once.
  const rows = await database.$queryRaw<{ revokedAt: Date }[]>(Prisma.sql`
    UPDATE api_keys SET revoked_at = COALESCE(revoked_at, now())
    WHERE id = ${id}::uuid RETURNING revoked_at AS "revokedAt"`);
  return rows[0]?.revokedAt;
}

export async function touchApiKey(database: Database, workspaceId: string, id: string): Promise<void> {
  // Raw: one of many concurrent requests writes, at most once a minute by the database's clock.
  await database.$executeRaw(Prisma.sql`
    UPDATE api_keys SET last_used_at = now()
    WHERE id = ${id}::uuid AND workspace_id = ${workspaceId}::uuid
      AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`);
}
