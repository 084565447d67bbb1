import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/** When it was revoked, the first time counts; undefined where there is none. For the operator alone: no workspace. */
export async function revokeApiKey(database: Database, id: string): Promise<Date | undefined> {
  // Raw: the first time stays, also where two revoke at once.
  const rows = await database.$queryRaw<{ revokedAt: Date }[]>(Prisma.sql`
    UPDATE api_keys SET revoked_at = COALESCE(revoked_at, now())
    WHERE id = ${id}::uuid RETURNING revoked_at AS "revokedAt"`);
  return rows[0]?.revokedAt;
}
