import type { Viewer } from '../../domain/access/viewer.ts';
import type { Json } from '../../domain/json.ts';
import type { Database } from '../client.ts';
import { Prisma } from '../generated/client.ts';
import { rowsOf } from '../rowsOf.ts';
import { assignment } from './changeResource.ts';
import { noneOf } from './frozen.ts';
import type { Refusal, Resource } from './resource.ts';
import { listedRows } from './rows.ts';

type Scope = Readonly<Record<string, string>> | undefined;

/** Rows in the order of their ids: two that write the same ones wait for each other, and neither for ever. */
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

/** Sets what `change` names on each of these rows, by Resource.changes; one statement. Answers the ids that were there. */
export async function changeMany(
  database: Database,
  viewer: Viewer,
  resource: Resource,
  ids: readonly string[],
  change: Readonly<Record<string, Json>>,
  scope?: Scope,
): Promise<string[]> {
  const assignments = Object.entries(change).map(([name, value]) => assignment(resource, name, value));
  const set = Prisma.join([...assignments, Prisma.sql`updated_at = now()`]);
  const chosen = locked(resource, viewer, ids, scope, resource.frozen);
  // Raw: columns and WHERE come from the resource's table.
  const rows = await rowsOf<{ id: string }>(
    database,
    assignments.length === 0
      ? chosen
      : Prisma.sql`WITH chosen AS MATERIALIZED (${chosen})
        UPDATE ${resource.table} t SET ${set} FROM chosen WHERE t.id = chosen.id RETURNING t.id`,
  );
  return rows.map(({ id }) => id);
}

/** Deletes the rows that may be deleted, in one statement. Returns their number. */
export async function deleteMany(
  database: Database,
  viewer: Viewer,
  resource: Resource,
  ids: readonly string[],
  scope?: Scope,
): Promise<number> {
  const chosen = locked(resource, viewer, ids, scope, resource.undeletable);
  // Raw: the WHERE of the resource's table; rows that may not be deleted stay.
  const rows = await rowsOf<{ id: string }>(
    database,
    Prisma.sql`WITH chosen AS MATERIALIZED (${chosen})
      DELETE FROM ${resource.table} t USING chosen WHERE t.id = chosen.id RETURNING t.id`,
  );
  return rows.length;
}
