import type { Database } from '../../client.ts';

/** Uses a backup code up. False where the person has none of that hash that is unused. */
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
