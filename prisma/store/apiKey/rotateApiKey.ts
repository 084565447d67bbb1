import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

export interface Rotation {
  /** Of this rotation. A second try with the same, whose first was never answered, takes the place of its key alone. */
  id: string;
  hash: Uint8Array;
  prefix: string;
  /** How long the key that was before goes on. */
  graceMs: number;
}

/** Gives an API key another secret; all else of it stays. False where it was revoked or has expired. */
export async function rotateApiKey(
  database: Database,
  workspaceId: string,
  apiKeyId: string,
  { id, hash, prefix, graceMs }: Rotation,
): Promise<boolean> {
  // Raw: what was the key becomes the one before, by the database's clock; of two rotations at once the second replaces the first.
  const rotated = await database.$executeRaw(Prisma.sql`
    UPDATE api_keys SET key_hash = ${hash}, prefix = ${prefix}, rotation_id = ${id}::uuid,
      previous_key_hash = CASE WHEN rotation_id = ${id}::uuid THEN previous_key_hash ELSE key_hash END,
      previous_valid_until = CASE WHEN rotation_id = ${id}::uuid THEN previous_valid_until
        ELSE now() + ${graceMs}::float8 * interval '1 millisecond' END
    WHERE id = ${apiKeyId}::uuid AND workspace_id = ${workspaceId}::uuid
      AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())`);
  return rotated === 1;
}
