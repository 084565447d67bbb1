import type { Viewer } from '../../domain/access/viewer.ts';
import { DEFAULT_ANSWER_BYTES } from '../../domain/limits.ts';
import type { Database } from '../client.ts';
import { Prisma } from '../generated/client.ts';
import { rowsOf } from '../rowsOf.ts';
import { type Item, itemOf, itemsSql } from './items.ts';
import type { ReadOptions } from './readResource.ts';
import { type Resource, resourceFor } from './resource.ts';
import { checkListQuery } from './resourceQuery.ts';
import { listedRows } from './rows.ts';

/** Returns the rows that `among` (`SELECT …, id, ordinal`) selects, in the form and visibility of a list, by `ordinal`. */
export async function rowsAmong(
  database: Database,
  viewer: Viewer,
  resource: Resource,
  among: Prisma.Sql,
  { query = {}, scope, answerBytes = DEFAULT_ANSWER_BYTES }: ReadOptions = {},
): Promise<Item[]> {
  const { fields, flags } = checkListQuery(resource, viewer, query);
  const where = listedRows(resource, viewer, { flags, scope });
  const page = itemsSql(
    { resource: resourceFor(resource, viewer), fields, answerBytes, single: false },
    Prisma.sql`FROM ${resource.table} t JOIN (${among}) named ON named.id = t.id WHERE ${where} ORDER BY named.ordinal`,
  );
  const rows = await rowsOf<{ item: string }>(database, Prisma.sql`SELECT page.item::text AS item FROM (${page}) page`);
  return rows.map(({ item }) => itemOf(resource, JSON.parse(item) as Item, database));
}

export function idsInOrder(ids: readonly string[]): Prisma.Sql {
  return Prisma.sql`SELECT g.id, g.ordinal FROM unnest(${[...ids]}::uuid[]) WITH ORDINALITY AS g(id, ordinal)`;
}
