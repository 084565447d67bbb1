import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import type { AuditEntry } from './insertEntries.ts';

/**
 * An entry in each workspace (up to as many as there are `ids`) of the person of an e-mail address, of whom it is: somebody has tried to
 * come in as them. Nothing where there is no such person, in about the same time.
 */
export async function insertOfPerson(
  database: Database,
  email: string,
  ids: readonly string[],
  entry: Omit<AuditEntry, 'id' | 'workspaceId' | 'actor'>,
): Promise<void> {
  // Raw: whose workspaces they are is read as the entries are written.
  await database.$executeRaw(Prisma.sql`
    INSERT INTO audit_entries
      (id, workspace_id, actor_type, actor_id, action, resource_type, resource_id, outcome, address, request_id)
    SELECT given.id, place.workspace_id, NULL, NULL, ${entry.action}, 'workspaceUser', place.user_id::text, ${entry.outcome},
      ${entry.address}, ${entry.requestId}
    FROM (
      SELECT member.workspace_id, member.user_id, row_number() OVER (ORDER BY member.created_at, member.workspace_id) AS n
      FROM users person JOIN workspace_users member ON member.user_id = person.id
      WHERE person.email = ${email}
    ) place JOIN unnest(${[...ids]}::uuid[]) WITH ORDINALITY AS given (id, n) USING (n)`);
}
