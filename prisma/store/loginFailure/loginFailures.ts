import { v7 } from 'uuid';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';

const MS = Prisma.sql`interval '1 millisecond'`;

/**
 * Undefined if no subject has its maximum. `email:…` does not count for an address from which its user has logged in.
 */
export async function findLoginBlock(
  database: Database,
  subjects: readonly { subject: string; most: number }[],
  windowMs: number,
  from: { email: string; network: string },
): Promise<number | undefined> {
  const rows = await database.$queryRaw<{ seconds: number | null }[]>(Prisma.sql`
    SELECT max(login_block(counted.subject, counted.most, ${windowMs} * ${MS})) AS seconds
    FROM unnest(${subjects.map(({ subject }) => subject)}::text[], ${subjects.map(({ most }) => most)}::int[])
      AS counted (subject, most)
    WHERE NOT (counted.subject = ${`email:${from.email}`} AND EXISTS (
      SELECT FROM sessions JOIN users ON users.id = sessions.user_id
      WHERE users.email = ${from.email} AND sessions.network = ${from.network}
    ))`);
  return rows[0]?.seconds ?? undefined;
}

export async function insertLoginFailures(
  database: Database,
  subjects: readonly string[],
  windowMs: number,
): Promise<void> {
  const rows = subjects.map((subject) => Prisma.sql`(${v7()}::uuid, ${subject})`);
  await database.$executeRaw(Prisma.sql`
    ${withoutOld(windowMs)} INSERT INTO login_failures (id, subject) VALUES ${Prisma.join(rows)}`);
}

/**
 * Lets at most `most` concurrent attempts pass, over all processes. Otherwise counts nothing; returns the seconds to
 * wait.
 */
export async function countLoginTries(
  database: Database,
  tries: readonly { subject: string; most: number }[],
  windowMs: number,
): Promise<number | undefined> {
  const ids = tries.map(() => v7());
  const rows = await database.$queryRaw<{ seconds: number | null }[]>(Prisma.sql`
    ${withoutOld(windowMs)} SELECT count_login_tries(${ids}::uuid[], ${tries.map(({ subject }) => subject)}::text[],
      ${tries.map(({ most }) => most)}::int[], ${windowMs} * ${MS}) AS seconds`);
  return rows[0]?.seconds ?? undefined;
}

/** Deletes up to 100 outdated rows, more than one statement inserts. Ids rise with time: the primary key finds them. */
function withoutOld(windowMs: number): Prisma.Sql {
  const oldId = v7({ msecs: Date.now() - windowMs });
  return Prisma.sql`WITH removed AS (
    DELETE FROM login_failures WHERE id IN (SELECT id FROM login_failures WHERE id < ${oldId}::uuid ORDER BY id LIMIT 100)
  )`;
}
