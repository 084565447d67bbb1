import type { JsonObject } from '../../../domain/json.ts';
import { type Author, authoringUser } from '../../../domain/object/author.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { type ObjectType, typeIsStill } from '../objectType/readObjectType.ts';
import { startersOfChange } from '../startersOfChange.ts';

export interface NewObject {
  id: string;
  name: string;
  state: string | null;
  attributes: JsonObject;
  ownerId: string | null;
}

/** Returns false if the type's rules have changed since the check. A second try with the same id changes nothing. */
export async function insertObject(
  database: Database,
  workspaceId: string,
  type: Pick<ObjectType, 'id' | 'version'>,
  { id, name, state, attributes, ownerId }: NewObject,
  by: Author,
): Promise<boolean> {
  const [row] = await rowsOf<{ typeIsSame: boolean }>(
    database,
    Prisma.sql`
    WITH same AS MATERIALIZED (SELECT ${typeIsStill(type)} AS is), inserted AS (
      INSERT INTO objects (id, workspace_id, object_type_id, name, state, attributes, owner_user_id, created_by_user_id,
        starters)
      SELECT ${id}::uuid, ${workspaceId}::uuid, ${type.id}::uuid, ${name}, ${state}, ${JSON.stringify(attributes)}::jsonb,
        ${ownerId}::uuid, ${authoringUser(by)}::uuid, ${startersOfChange(workspaceId, by)}
      FROM same WHERE same.is
      ON CONFLICT (id) DO NOTHING
    )
    SELECT same.is AS "typeIsSame" FROM same`,
  );
  return row?.typeIsSame === true;
}
