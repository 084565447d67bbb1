import { Prisma } from '../../generated/client.ts';

/**
 * Statements of a WITH that end the sessions and pending logins of the users whose ids its statement `people` returns, in every
 * workspace, except the session `kept`.
 */
export function endLogins(people: string, kept: string | null = null): Prisma.Sql {
  const person = Prisma.raw(people);
  return Prisma.sql`no_sessions AS (
      DELETE FROM sessions USING ${person} WHERE sessions.user_id = ${person}.id AND sessions.id IS DISTINCT FROM ${kept}::uuid
    ), no_pending AS (
      DELETE FROM pending_logins USING ${person} WHERE pending_logins.user_id = ${person}.id
    )`;
}
