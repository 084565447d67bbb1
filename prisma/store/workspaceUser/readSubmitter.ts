import type { Credential } from '../../../domain/access/credential.ts';
import type { Role } from '../../../domain/access/permission.ts';
import type { Submitter } from '../../../domain/execution/submission.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

/** Returns the user behind a login or a key that was just checked; undefined if it is gone by now. */
export async function readSubmitter(
  database: Database,
  workspaceId: string,
  { type, id }: Credential,
): Promise<Omit<Submitter, 'permissions'> | undefined> {
  const person = Prisma.sql`person_of(${type}, ${id}::uuid)`;
  const [row] = await rowsOf<{ name: string | null; person: string; email: string | null; role: Role | null }>(
    database,
    Prisma.sql`
    SELECT who.id AS person, u.email, m.role, CASE WHEN ${type} = 'user' THEN u.name ELSE (
      SELECT k.name FROM api_keys k WHERE k.id = ${id}::uuid AND k.workspace_id = ${workspaceId}::uuid) END AS name
    FROM (SELECT ${person} AS id) who
    LEFT JOIN workspace_users m ON m.user_id = who.id AND m.workspace_id = ${workspaceId}::uuid
    LEFT JOIN users u ON u.id = m.user_id`,
  );
  if (!row || row.name === null) return undefined;
  const { name, ...known } = row;
  return { by: { type, id, name }, ...known };
}
