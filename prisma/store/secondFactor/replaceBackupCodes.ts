import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** The backup codes that a person has from now on. */
export async function replaceBackupCodes(
  database: Database,
  userId: string,
  hashes: readonly Uint8Array<ArrayBuffer>[],
): Promise<void> {
  const rows = hashes.map((hash) => Prisma.sql`(${userId}::uuid, ${hash}::bytea)`);
  // Raw: the old ones go with the statement that makes the new ones.
  await database.$executeRaw(Prisma.sql`
    WITH gone AS (DELETE FROM backup_codes WHERE user_id = ${userId}::uuid)
    INSERT INTO backup_codes (user_id, code_hash) VALUES ${Prisma.join(rows)}`);
}
