import type { Database } from '../../client.ts';

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
