import type { Json } from '../../../domain/json.ts';
import type { ObjectRules } from '../../../domain/object/rules.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { rowsOf } from '../../rowsOf.ts';
import { recordset } from '../bulkRows.ts';
import type { StoredType, TypeMembers } from './storedType.ts';

/** How long a change counts as running without a renewal. */
const CHANGE_SECONDS = 60;

export type NewType = TypeMembers & { id: string; slug: string; createdByUserId: string | null };

/** Inserts a type. Does nothing if the workspace already has its slug or its id. */
export function insertType(database: Database, workspaceId: string, type: NewType): Promise<void> {
  return insertTypes(database, workspaceId, [type]);
}

export async function insertTypes(database: Database, workspaceId: string, types: readonly NewType[]): Promise<void> {
  if (types.length === 0) return;
  // As text: the members of a schema have an order, which jsonb would lose.
  const records = types.map(({ rules, ...type }) => ({
    ...type,
    attributeSchema: text(rules.attributeSchema),
    stateSchema: text(rules.stateSchema),
    allowUnknownAttributes: rules.allowUnknownAttributes,
  }));
  await database.$executeRaw(Prisma.sql`
    INSERT INTO object_types (id, workspace_id, slug, name, description, is_enabled, managed_by_code,
      created_by_user_id, attribute_schema, state_schema, allow_unknown_attributes)
    SELECT id, ${workspaceId}::uuid, slug, name, description, "isEnabled", "managedByCode", "createdByUserId",
      "attributeSchema"::json, "stateSchema"::json, "allowUnknownAttributes"
    FROM ${recordset(records, COLUMNS)}
    ON CONFLICT DO NOTHING`);
}

const COLUMNS = {
  id: 'uuid',
  slug: 'text',
  name: 'text',
  description: 'text',
  isEnabled: 'boolean',
  managedByCode: 'boolean',
  createdByUserId: 'uuid',
  attributeSchema: 'text',
  stateSchema: 'text',
  allowUnknownAttributes: 'boolean',
} as const;

export type TypeChanges = Partial<Omit<TypeMembers, 'rules'>>;

export async function updateType(
  database: Database,
  { id, revision }: Pick<StoredType, 'id' | 'revision'>,
  changes: TypeChanges,
): Promise<boolean> {
  const { name, description, isEnabled, managedByCode } = changes;
  const count = await database.$executeRaw`
    UPDATE object_types SET name = coalesce(${name ?? null}, name),
      description = CASE WHEN ${description !== undefined}::boolean THEN ${description ?? null}::text ELSE description END,
      is_enabled = coalesce(${isEnabled ?? null}::boolean, is_enabled),
      managed_by_code = coalesce(${managedByCode ?? null}::boolean, managed_by_code), updated_at = now()
    WHERE id = ${id}::uuid AND revision = ${revision}::int`;
  return count > 0;
}

/** Binds later writes, too; waits for running ones. False if the type has changed, or is being changed. */
export async function publishRules(
  database: Database,
  { id, revision }: Pick<StoredType, 'id' | 'revision'>,
  changeId: string,
  rules: ObjectRules,
): Promise<boolean> {
  const rows = await rowsOf(
    database,
    Prisma.sql`
    UPDATE object_types SET next_rules = ${JSON.stringify(rules)}::json, next_id = ${changeId}::uuid,
      next_until = now() + ${CHANGE_SECONDS}::int * interval '1 second', version = version + 1
    WHERE id = ${id}::uuid AND revision = ${revision}::int AND coalesce(next_until <= now(), true)
    RETURNING id`,
  );
  return rows.length > 0;
}

/** Extends the claim of the change. Returns false if it took too long and another change has it. */
export async function renewChange(database: Database, id: string, changeId: string): Promise<boolean> {
  const rows = await rowsOf(
    database,
    Prisma.sql`
    UPDATE object_types SET next_until = now() + ${CHANGE_SECONDS}::int * interval '1 second'
    WHERE id = ${id}::uuid AND next_id = ${changeId}::uuid AND next_until > now() RETURNING id`,
  );
  return rows.length > 0;
}

/** Applies the announced rules, with the other changes. Returns false, with no change, if the change took too long. */
export async function applyRules(
  database: Database,
  id: string,
  changeId: string,
  rules: ObjectRules,
  { name, description, isEnabled, managedByCode }: TypeChanges,
): Promise<boolean> {
  const rows = await rowsOf(
    database,
    Prisma.sql`
    UPDATE object_types SET name = coalesce(${name ?? null}, name),
      description = CASE WHEN ${description !== undefined}::boolean THEN ${description ?? null}::text ELSE description END,
      is_enabled = coalesce(${isEnabled ?? null}::boolean, is_enabled),
      managed_by_code = coalesce(${managedByCode ?? null}::boolean, managed_by_code),
      attribute_schema = ${text(rules.attributeSchema)}::json, state_schema = ${text(rules.stateSchema)}::json,
      allow_unknown_attributes = ${rules.allowUnknownAttributes}::boolean, version = version + 1,
      next_rules = NULL, next_id = NULL, next_until = NULL, updated_at = now()
    WHERE id = ${id}::uuid AND next_id = ${changeId}::uuid AND next_until > now() RETURNING id`,
  );
  return rows.length > 0;
}

export async function dropRules(database: Database, id: string, changeId: string): Promise<void> {
  await database.objectType.updateMany({
    where: { id, nextId: changeId },
    data: { nextRules: Prisma.DbNull, nextId: null, nextUntil: null },
  });
}

function text(value: Json | object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
