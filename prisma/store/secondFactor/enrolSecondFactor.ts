import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** Keeps a secret that awaits its first code, in place of an earlier one that does. False where the person has one that counts. */
export async function enrolSecondFactor(
  database: Database,
  userId: string,
  { sealed, keyId }: { sealed: Uint8Array<ArrayBuffer>; keyId: string },
): Promise<boolean> {
  // Raw: one statement decides whether there is one that counts.
  const written = await database.$executeRaw(Prisma.sql`
    INSERT INTO second_factors (user_id, secret, key_id) VALUES (${userId}::uuid, ${sealed}, ${keyId})
    ON CONFLICT (user_id) DO UPDATE SET secret = EXCLUDED.secret, key_id = EXCLUDED.key_id, last_step = 0
    WHERE second_factors.confirmed_at IS NULL`);
  return written === 1;
}
