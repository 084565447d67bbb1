import { Prisma } from '../../generated/client.ts';

/** Ends, in a WITH, sessions and pending logins of `people` in every workspace; the session `kept` stays. */
export function endLogins(people: string, kept: string | null = null): Prisma.Sql {
  const person = Prisma.raw(people);
  return Prisma.sql`no_sessions AS (
      DELETE FROM sessions USING ${person} WHERE sessions.user_id = ${person}.id AND sessions.id IS DISTINCT FROM ${kept}::uuid
    ), no_pending AS (
      DELETE FROM pending_logins USING ${person} WHERE pending_logins.user_id = ${person}.id
    )`;
}
