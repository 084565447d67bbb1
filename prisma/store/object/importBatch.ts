import type { Json, JsonObject } from '../../../domain/json.ts';
import { type Author, authoringUser } from '../../../domain/object/author.ts';
import type { Database } from '../../client.ts';
import { Prisma } from '../../generated/client.ts';
import { plannedByValue } from '../../preparedStatements.ts';
import { rowsOf } from '../../rowsOf.ts';
import { recordset } from '../bulkRows.ts';
import { type ObjectType, typeIsStill } from '../objectType/readObjectType.ts';
import { startersOfChange } from '../startersOfChange.ts';
import type { NewObject } from './insertObject.ts';
import { OBJECT_ROW, type ObjectRow } from './readObject.ts';

export type MatchField = { attribute: string } | 'name';

export interface Match extends ObjectRow {
  index: number;
  /** Number of matching entities; the other fields are meaningful only if it is 1. */
  count: number;
}

/** Finds the entities whose attribute (or `name`) has each of the values; leaves out values without an entity. */
export async function findMatches(
  database: Database,
  workspaceId: string,
  typeId: string,
  field: MatchField,
  values: readonly Json[],
): Promise<Match[]> {
  const isOfType = Prisma.sql`o.workspace_id = ${workspaceId}::uuid AND o.object_type_id = ${typeId}::uuid`;
  // Raw: during an import Postgres underestimates a type's entities, and would read all of them for each value.
  if (field === 'name') {
    const names = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
    return rowsOf<Match>(
      database,
      Prisma.sql`
      SELECT r.index::int - 1 AS index, found.count, ${OBJECT_ROW}
      FROM (
        SELECT o.name, count(*)::int AS count, (array_agg(o.id))[1] AS id FROM objects o
        WHERE ${isOfType} AND o.deleted_at IS NULL AND ${plannedByValue(Prisma.sql`o.name = ANY(${names}::text[])`)}
        GROUP BY o.name
      ) found JOIN unnest(${names}::text[]) WITH ORDINALITY AS r(name, index) ON r.name = found.name
        JOIN objects t ON t.id = found.id`,
    );
  }
  const { attribute } = field;
  const wanted = values.map((value, index) => ({ index, value, holder: { [attribute]: value } }));
  // The index also matches lists and larger objects; the exact check follows. A limit would defeat the index.
  return rowsOf<Match>(
    database,
    Prisma.sql`
    SELECT m.index, m.count, ${OBJECT_ROW}
    FROM (
      SELECT r.index, found.count, found.id
      FROM ${recordset(wanted, { index: 'int', value: 'jsonb', holder: 'jsonb' })} CROSS JOIN LATERAL (
        SELECT count(*)::int AS count, (array_agg(o.id))[1] AS id
        FROM (SELECT o.* FROM objects o WHERE o.attributes @> r.holder OFFSET 0) o
        WHERE ${isOfType} AND o.deleted_at IS NULL AND o.attributes -> ${attribute}::text = r.value
      ) found
      WHERE found.count > 0
    ) m JOIN objects t ON t.id = m.id`,
  );
}

/** Returns the written ids: none if the type's rules have changed, no row whose value of `match` another entity has. */
export async function insertObjects(
  database: Database,
  workspaceId: string,
  type: ObjectType,
  match: MatchField | undefined,
  objects: readonly NewObject[],
  by: Author,
): Promise<Set<string>> {
  const attribute = typeof match === 'object' ? match.attribute : null;
  const column = <Value>(of: (object: (typeof objects)[number]) => Value) => objects.map(of);
  const [row] = await rowsOf<{ leftOut: string[] | null }>(
    database,
    Prisma.sql`
    SELECT import_objects(${workspaceId}::uuid, ${type.id}::uuid, ${type.version}::int, ${match === 'name'}::boolean,
      ${attribute}::text, ${column(({ id }) => id)}::uuid[], ${column(({ name }) => name)}::text[],
      ${column(({ state }) => state)}::text[], ${column(({ attributes }) => JSON.stringify(attributes))}::jsonb[],
      ${column(({ ownerId }) => ownerId)}::uuid[], ${authoringUser(by)}::uuid,
      ${startersOfChange(workspaceId, by)}) AS "leftOut"`,
  );
  if (!row?.leftOut) return new Set();
  const leftOut = new Set(row.leftOut);
  return new Set(column(({ id }) => id).filter((id) => !leftOut.has(id)));
}

/** Returns the ids of the written rows. The others, or the type, have changed since they were read. */
export async function updateObjects(
  database: Database,
  workspaceId: string,
  type: ObjectType,
  objects: readonly { id: string; name: string; attributes: JsonObject; ownerId: string | null; revision: number }[],
  by: Author,
): Promise<Set<string>> {
  const columns = { id: 'uuid', name: 'text', attributes: 'jsonb', ownerId: 'uuid', revision: 'int' } as const;
  // Raw: locked in the order of ids, so two imports that change the same rows cannot deadlock.
  const rows = await rowsOf<{ id: string }>(
    database,
    Prisma.sql`
    WITH same AS MATERIALIZED (SELECT ${typeIsStill(type)} AS is),
    open AS MATERIALIZED (
      SELECT o.id FROM objects o, same WHERE same.is AND o.id = ANY (${objects.map(({ id }) => id)}::uuid[])
        AND o.workspace_id = ${workspaceId}::uuid
      ORDER BY o.id FOR NO KEY UPDATE OF o
    )
    UPDATE objects t SET name = r.name, attributes = r.attributes, owner_user_id = r."ownerId",
      revision = t.revision + 1, starters = ${startersOfChange(workspaceId, by)}, updated_at = now()
    FROM open, ${recordset(objects, columns)}
    WHERE t.id = open.id AND r.id = t.id AND t.deleted_at IS NULL AND t.revision = r.revision
    RETURNING t.id`,
  );
  return new Set(rows.map(({ id }) => id));
}
