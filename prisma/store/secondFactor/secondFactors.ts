import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** Stores a secret that awaits its first code, replacing an earlier one. False if the user has a confirmed secret. */
export async function enrolSecondFactor(
  database: Database,
  userId: string,
  { sealed, keyId }: { sealed: Uint8Array<ArrayBuffer>; keyId: string },
): Promise<boolean> {
  const written = await database.$executeRaw(Prisma.sql`
    INSERT INTO second_factors (user_id, secret, key_id) VALUES (${userId}::uuid, ${sealed}, ${keyId})
    ON CONFLICT (user_id) DO UPDATE SET secret = EXCLUDED.secret, key_id = EXCLUDED.key_id, last_step = 0
    WHERE second_factors.confirmed_at IS NULL`);
  return written === 1;
}

export interface SecondFactor {
  /** TOTP secret in base32. */
  sealed: Uint8Array<ArrayBuffer>;
  keyId: string;
  isConfirmed: boolean;
}

export async function readSecondFactor(database: Database, userId: string): Promise<SecondFactor | undefined> {
  const found = await database.secondFactor.findUnique({ where: { userId } });
  return found ? { sealed: found.secret, keyId: found.keyId, isConfirmed: found.confirmedAt !== null } : undefined;
}

export async function removeSecondFactor(database: Database, userId: string): Promise<boolean> {
  const { count } = await database.secondFactor.deleteMany({ where: { userId, confirmedAt: { not: null } } });
  return count === 1;
}

export async function replaceBackupCodes(
  database: Database,
  userId: string,
  hashes: readonly Uint8Array<ArrayBuffer>[],
): Promise<void> {
  const rows = hashes.map((hash) => Prisma.sql`(${userId}::uuid, ${hash}::bytea)`);
  await database.$executeRaw(Prisma.sql`
    WITH gone AS (DELETE FROM backup_codes WHERE user_id = ${userId}::uuid)
    INSERT INTO backup_codes (user_id, code_hash) VALUES ${Prisma.join(rows)}`);
}

export async function takeBackupCode(
  database: Database,
  userId: string,
  codeHash: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const { count } = await database.backupCode.updateMany({
    where: { userId, codeHash, usedAt: null, secondFactor: { confirmedAt: { not: null } } },
    data: { usedAt: new Date() },
  });
  return count === 1;
}

/**
 * Also uses up earlier ones. False if it was used, or the secret changed. `confirms`: the first code of an enrolment.
 */
export async function takeStep(
  database: Database,
  userId: string,
  { sealed, step }: { sealed: Uint8Array<ArrayBuffer>; step: number },
  confirms: boolean,
): Promise<boolean> {
  const { count } = await database.secondFactor.updateMany({
    where: { userId, secret: sealed, lastStep: { lt: step }, confirmedAt: confirms ? null : { not: null } },
    data: { lastStep: step, ...(confirms ? { confirmedAt: new Date() } : {}) },
  });
  return count === 1;
}
