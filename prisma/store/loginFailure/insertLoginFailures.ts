import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/**
 * Records a failed login, and removes up to 100 rows that count no longer: more than come in. `oldId` is a UUIDv7 of
 * the window's start; ids are ordered by time, so that the primary key finds the old ones.
 */
export async function insertLoginFailures(
  database: Database,
  failures: readonly { id: string; subject: string }[],
  oldId: string,
): Promise<void> {
  const rows = failures.map(({ id, subject }) => Prisma.sql`(${id}::uuid, ${subject})`);
  // Raw: what counts no longer goes in the same statement.
  await database.$executeRaw(Prisma.sql`
    WITH removed AS (
      DELETE FROM login_failures
      WHERE id IN (SELECT id FROM login_failures WHERE id < ${oldId}::uuid ORDER BY id LIMIT 100)
    )
    INSERT INTO login_failures (id, subject) VALUES ${Prisma.join(rows)}`);
}
