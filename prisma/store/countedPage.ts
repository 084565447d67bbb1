import type { Viewer } from '../../domain/access/viewer.ts';
import { DEFAULT_ANSWER_BYTES } from '../../domain/limits.ts';
import type { Database } from '../client.ts';
import { Prisma } from '../generated/client.ts';
import { rowsOf } from '../rowsOf.ts';
import { type Item, itemOf, itemsSql } from './items.ts';
import type { ListOptions } from './listResource.ts';
import { orderBy, orderKeysOf } from './order.ts';
import { type ParentsRow, parentChecks } from './parents.ts';
import { type Resource, resourceFor } from './resource.ts';
import { checkListQuery, type ListQuery } from './resourceQuery.ts';
import { listedRows } from './rows.ts';

export interface CountedPage {
  items: Item[];
  total: number;
}

interface Row {
  items: string;
  total: number;
  parents: ParentsRow;
}

/** Throws VALIDATION_FAILED for an invalid query, NOT_FOUND if a parent is missing. */
export async function countedPage(
  database: Database,
  viewer: Viewer,
  resource: Resource,
  query: ListQuery,
  { limit, offset }: { limit: number; offset: number },
  { scope = {}, conditions = [], order = resource.order, total, answerBytes = DEFAULT_ANSWER_BYTES }: ListOptions = {},
): Promise<CountedPage> {
  const checked = checkListQuery(resource, viewer, query);
  const selection = { flags: checked.flags, conditions: [...checked.conditions, ...conditions], scope };
  const where = listedRows(resource, viewer, selection);
  const parents = parentChecks(resource, viewer, selection);
  const keys = orderKeysOf(order);
  const page = itemsSql(
    { resource: resourceFor(resource, viewer), fields: checked.fields, answerBytes, single: false },
    Prisma.sql`FROM ${resource.table} t WHERE ${where}
      ORDER BY ${orderBy(keys)} LIMIT ${limit}::int OFFSET ${offset}::bigint`,
  );
  const counted = total ?? Prisma.sql`SELECT count(*)::int FROM ${resource.table} t WHERE ${where}`;
  const [row] = await rowsOf<Row>(
    database,
    Prisma.sql`
    SELECT coalesce(json_agg(page.item), '[]')::text AS items,
      (${counted}) AS total, ${parents.sql} AS parents
    FROM (${page}) page`,
  );
  if (!row) throw new Error('an aggregate without a row');
  parents.require(row.parents);
  const items = JSON.parse(row.items) as Item[];
  return { items: items.map((item) => itemOf(resource, item, database)), total: row.total };
}
