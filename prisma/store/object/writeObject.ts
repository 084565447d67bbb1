import type { Author } from '../../../domain/object/author.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { typeIsStill } from '../objectType/readObjectType.ts';
import { startersOfChange } from '../startersOfChange.ts';
import type { StoredObject } from './readObject.ts';

export async function writeObject(
  database: Database,
  workspaceId: string,
  { id, name, attributes, ownerId, revision, type }: Omit<StoredObject, 'state'>,
  by: Author,
): Promise<boolean> {
  const rows = await rowsOf<{ id: string }>(
    database,
    Prisma.sql`
    WITH same AS MATERIALIZED (SELECT ${typeIsStill(type)} AS is)
    UPDATE objects t SET name = ${name}, attributes = ${JSON.stringify(attributes)}::jsonb, owner_user_id = ${ownerId}::uuid,
      revision = t.revision + 1, starters = ${startersOfChange(workspaceId, by)}, updated_at = now()
    FROM same
    WHERE same.is AND t.id = ${id}::uuid AND t.workspace_id = ${workspaceId}::uuid AND t.deleted_at IS NULL
      AND t.revision = ${revision}::int
    RETURNING t.id`,
  );
  return rows.length > 0;
}
