import type { Viewer } from '../../domain/access/viewer.ts';
import type { Json } from '../../domain/json.ts';
import type { Database } from '../client.ts';
import { Prisma } from '../generated/client.ts';
import { rowsOf } from '../rowsOf.ts';
import { type ColumnType, recordset } from './bulkRows.ts';
import { assignment } from './changeResource.ts';
import { fromJson, inJson, type PlainColumn } from './column.ts';
import { noneOf } from './refusals.ts';
import type { Refusal, Resource } from './resource.ts';
import { listedRows } from './rows.ts';

type Scope = Readonly<Record<string, string>> | undefined;

/** Locks rows in the order of their ids, so that concurrent writes of the same rows cannot deadlock. */
function locked(
  resource: Resource,
  viewer: Viewer,
  ids: readonly string[],
  scope: Scope,
  refusals: readonly Refusal[] | undefined,
): Prisma.Sql {
  const conditions = [Prisma.sql`t.id = ANY (${[...ids]}::uuid[])`, noneOf(refusals)];
  return Prisma.sql`SELECT t.id FROM ${resource.table} t WHERE ${listedRows(resource, viewer, { scope, conditions })}
    ORDER BY t.id FOR UPDATE OF t`;
}

/** Sets the fields of `change` (Resource.changes) on each row. Returns the ids that exist. */
export async function changeMany(
  database: Database,
  viewer: Viewer,
  resource: Resource,
  ids: readonly string[],
  change: Readonly<Record<string, Json>>,
  scope?: Scope,
): Promise<string[]> {
  const assignments = Object.entries(change).map(([name, value]) => assignment(resource, viewer, name, value));
  const set = Prisma.join([...assignments, Prisma.sql`updated_at = now()`]);
  const chosen = locked(resource, viewer, ids, scope, resource.frozen);
  const rows = await rowsOf<{ id: string }>(
    database,
    assignments.length === 0
      ? chosen
      : Prisma.sql`WITH chosen AS MATERIALIZED (${chosen})
        UPDATE ${resource.table} t SET ${set} FROM chosen WHERE t.id = chosen.id RETURNING t.id`,
  );
  return rows.map(({ id }) => id);
}

export interface RowChange {
  id: string;
  change: Readonly<Record<string, Json>>;
}

/** Sets plain columns; changes with the same fields share a statement. Returns the ids that exist. */
export async function changeEach(
  database: Database,
  viewer: Viewer,
  resource: Resource,
  changes: readonly RowChange[],
): Promise<string[]> {
  const alike = new Map<string, RowChange[]>();
  for (const each of changes) {
    const fields = Object.keys(each.change).sort().join();
    alike.set(fields, [...(alike.get(fields) ?? []), each]);
  }
  const found: string[] = [];
  for (const some of alike.values()) found.push(...(await changeAlike(database, viewer, resource, some)));
  return found;
}

async function changeAlike(
  database: Database,
  viewer: Viewer,
  resource: Resource,
  changes: readonly RowChange[],
): Promise<string[]> {
  const columns = Object.keys(changes[0]?.change ?? {}).map((field) => ({ field, ...plainColumn(resource, field) }));
  const records = changes.map(({ id, change }) => ({
    ...Object.fromEntries(columns.map(({ field, name, type }) => [name, inJson(type, change[field] ?? null)])),
    '#id': id,
  }));
  const types = columns.map(({ name, type }): [string, ColumnType] => [
    name,
    type === 'json' || type === 'jsonb' || type === 'bytea' ? 'text' : type,
  ]);
  const set = columns.map(({ name, type }) => {
    const value = fromJson(type, Prisma.raw(`r."${name}"`));
    return Prisma.sql`${Prisma.raw(name)} = ${value}`;
  });
  const ids = changes.map(({ id }) => id);
  const chosen = locked(resource, viewer, ids, undefined, resource.frozen);
  const rows = await rowsOf<{ id: string }>(
    database,
    Prisma.sql`WITH chosen AS MATERIALIZED (${chosen})
      UPDATE ${resource.table} t SET ${Prisma.join([...set, Prisma.sql`updated_at = now()`])}
      FROM chosen JOIN ${recordset(records, { '#id': 'uuid', ...Object.fromEntries(types) })} ON r."#id" = chosen.id
      WHERE t.id = chosen.id RETURNING t.id`,
  );
  return rows.map(({ id }) => id);
}

function plainColumn({ name, changes }: Resource, field: string): PlainColumn {
  const plain = changes?.[field]?.plain;
  if (!plain) throw new Error(`${field} is no plain column of ${name}`);
  return plain;
}

/** Deletes or marks (Resource.softDelete) the deletable rows. Returns their number. */
export async function deleteMany(
  database: Database,
  viewer: Viewer,
  resource: Resource,
  ids: readonly string[],
  scope?: Scope,
): Promise<number> {
  const { table, softDelete } = resource;
  const chosen = locked(resource, viewer, ids, scope, resource.undeletable);
  const rows = await rowsOf<{ id: string }>(
    database,
    Prisma.sql`WITH chosen AS MATERIALIZED (${chosen}) ${
      softDelete
        ? Prisma.sql`UPDATE ${table} t SET ${softDelete(viewer)} FROM chosen`
        : Prisma.sql`DELETE FROM ${table} t USING chosen`
    } WHERE t.id = chosen.id RETURNING t.id`,
  );
  return rows.length;
}
