import type { ObjectRules } from '../../../domain/object/rules.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

export interface ObjectType {
  id: string;
  slug: string;
  name: string;
  isEnabled: boolean;
  /** Version of the rules; a write of an entity names the version that checked it. */
  version: number;
  rules: ObjectRules;
  /** Announced rules: until they apply, writes must satisfy both. */
  nextRules: ObjectRules | null;
}

export type ObjectTypeName = { id: string } | { slug: string };

export async function readObjectType(
  database: Database,
  workspaceId: string,
  name: ObjectTypeName,
): Promise<ObjectType | undefined> {
  const named = 'id' in name ? Prisma.sql`y.id = ${name.id}::uuid` : Prisma.sql`y.slug = ${name.slug}`;
  const [row] = await rowsOf<{ type: ObjectType }>(
    database,
    Prisma.sql`SELECT ${objectTypeSql()} AS type FROM object_types y WHERE y.workspace_id = ${workspaceId}::uuid AND ${named}`,
  );
  return row?.type;
}

export function objectTypeSql(): Prisma.Sql {
  return Prisma.sql`json_build_object('id', y.id, 'slug', y.slug, 'name', y.name, 'isEnabled', y.is_enabled,
    'version', y.version, 'rules', json_build_object('attributeSchema', y.attribute_schema, 'stateSchema', y.state_schema,
      'allowUnknownAttributes', y.allow_unknown_attributes),
    'nextRules', CASE WHEN y.next_until > now() THEN y.next_rules END)`;
}

/** Keeps the rules current until the statement ends. Put this lock in its own CTE: an UPDATE may be evaluated again. */
export function typeIsStill({ id, version }: Pick<ObjectType, 'id' | 'version'>): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT FROM object_types y WHERE y.id = ${id}::uuid AND y.version = ${version}::int FOR SHARE)`;
}

/** Leaves out slugs that the workspace does not have. */
export async function readObjectTypes(
  database: Database,
  workspaceId: string,
  slugs: readonly string[],
): Promise<ObjectType[]> {
  if (slugs.length === 0) return [];
  const rows = await rowsOf<{ type: ObjectType }>(
    database,
    Prisma.sql`SELECT ${objectTypeSql()} AS type FROM object_types y
      WHERE y.workspace_id = ${workspaceId}::uuid AND y.slug = ANY (${[...slugs]}::text[])`,
  );
  return rows.map(({ type }) => type);
}
