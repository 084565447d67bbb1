import type { ObjectRules } from '../../../domain/object/rules.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { rowTag } from '../rowTag.ts';

export interface TypeMembers {
  name: string;
  description: string | null;
  isEnabled: boolean;
  managedByCode: boolean;
  rules: ObjectRules;
}

export interface StoredType extends TypeMembers {
  id: string;
  version: number;
  /** Counts all writes; clients get it as `tag` (rowTag.ts). */
  revision: number;
  tag: string;
  /** Another upsert is checking the existing entities. */
  isChanging: boolean;
}

export async function readStoredType(
  database: Database,
  workspaceId: string,
  slug: string,
): Promise<StoredType | undefined> {
  const [row] = await rowsOf<StoredType>(
    database,
    Prisma.sql`
    SELECT y.id, y.name, y.description, y.is_enabled AS "isEnabled", y.managed_by_code AS "managedByCode", y.version,
      y.revision, ${rowTag(Prisma.raw('y'))} AS tag,
      json_build_object('attributeSchema', y.attribute_schema, 'stateSchema', y.state_schema,
        'allowUnknownAttributes', y.allow_unknown_attributes) AS rules,
      coalesce(y.next_until > now(), false) AS "isChanging"
    FROM object_types y WHERE y.workspace_id = ${workspaceId}::uuid AND y.slug = ${slug}`,
  );
  return row;
}
