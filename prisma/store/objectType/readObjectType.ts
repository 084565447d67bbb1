import type { ObjectRules } from '../../../domain/object/rules.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';

/** A type for writes of entities. */
export interface ObjectType {
  id: string;
  slug: string;
  name: string;
  isEnabled: boolean;
  /** Version of the rules: a write of an entity names the version of its check. */
  version: number;
  rules: ObjectRules;
  /** Announced rules: writes must fit both until they apply. */
  nextRules: ObjectRules | null;
}

export type ObjectTypeName = { id: string } | { slug: string };

/** Undefined if the workspace has no such type. */
export async function readObjectType(
  database: Database,
  workspaceId: string,
  name: ObjectTypeName,
): Promise<ObjectType | undefined> {
  const named = 'id' in name ? Prisma.sql`y.id = ${name.id}::uuid` : Prisma.sql`y.slug = ${name.slug}`;
  // Raw: runs with every write of an entity; the database decides whether other rules are announced.
  const [row] = await rowsOf<{ type: ObjectType }>(
    database,
    Prisma.sql`SELECT ${objectTypeSql()} AS type FROM object_types y WHERE y.workspace_id = ${workspaceId}::uuid AND ${named}`,
  );
  return row?.type;
}

/** An ObjectType of row `y`. */
export function objectTypeSql(): Prisma.Sql {
  return Prisma.sql`json_build_object('id', y.id, 'slug', y.slug, 'name', y.name, 'isEnabled', y.is_enabled,
    'version', y.version, 'rules', json_build_object('attributeSchema', y.attribute_schema, 'stateSchema', y.state_schema,
      'allowUnknownAttributes', y.allow_unknown_attributes),
    'nextRules', CASE WHEN y.next_until > now() THEN y.next_rules END)`;
}

/**
 * Holds while the rules by which an entity was checked still do, and they do until the statement's end. It locks a row: give
 * it a CTE of its own, since Postgres may evaluate conditions of an UPDATE again where its row was changed meanwhile.
 */
export function typeIsStill({ id, version }: Pick<ObjectType, 'id' | 'version'>): Prisma.Sql {
  return Prisma.sql`EXISTS (SELECT FROM object_types y WHERE y.id = ${id}::uuid AND y.version = ${version}::int FOR SHARE)`;
}
