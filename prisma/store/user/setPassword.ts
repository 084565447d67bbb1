import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** The person's password from now on. Their sessions and hidden tokens end, in every workspace, save the session `kept`. */
export async function setPassword(
  database: Database,
  userId: string,
  passwordHash: string,
  kept: string | null,
): Promise<void> {
  // Raw: who has found the old password has no session once the new one counts.
  await database.$executeRaw(Prisma.sql`
    WITH no_sessions AS (
      DELETE FROM sessions WHERE user_id = ${userId}::uuid AND id IS DISTINCT FROM ${kept}::uuid
    ), no_tokens AS (
      DELETE FROM login_tokens WHERE user_id = ${userId}::uuid
    ), no_pending AS (
      DELETE FROM pending_logins WHERE user_id = ${userId}::uuid
    )
    UPDATE users SET password_hash = ${passwordHash} WHERE id = ${userId}::uuid`);
}
