import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

/**
 * Seconds until none of the subjects has that many failures in the window any more; undefined where none has. The account's own
 * (`email:…`) do not count where it comes from an address at which a session of its person began.
 */
export async function findLoginBlock(
  database: Database,
  subjects: readonly string[],
  limit: { failures: number; windowMs: number },
  from?: { email: string; network: string },
): Promise<number | undefined> {
  const window = Prisma.sql`${limit.windowMs} * interval '1 millisecond'`;
  const known = from
    ? Prisma.sql`counted.subject = ${`email:${from.email}`} AND EXISTS (
        SELECT FROM sessions JOIN users ON users.id = sessions.user_id
        WHERE users.email = ${from.email} AND sessions.network = ${from.network}
      )`
    : Prisma.sql`false`;
  // Raw: the failure that counts is found in the index, by the database's clock.
  const rows = await database.$queryRaw<{ seconds: number | null }[]>(Prisma.sql`
    SELECT ceil(extract(epoch FROM max(oldest.failed_at) + ${window} - now()))::int AS seconds
    FROM unnest(${[...subjects]}::text[]) AS counted (subject)
    CROSS JOIN LATERAL (
      SELECT failed_at FROM login_failures
      WHERE login_failures.subject = counted.subject AND failed_at > now() - ${window}
      ORDER BY failed_at DESC OFFSET ${limit.failures - 1} LIMIT 1
    ) AS oldest
    WHERE NOT (${known})`);
  const seconds = rows[0]?.seconds;
  return seconds === null || seconds === undefined ? undefined : Math.max(seconds, 1);
}
