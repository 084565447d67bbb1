import type { Json } from '../../domain/json.ts';
import type { Database } from '../client.ts';
import { Prisma } from '../generated/client.ts';
import { rowsOf } from '../rowsOf.ts';
import { writeCursor } from './cursor.ts';
import { isoTime, jsonObject, present, type Resource } from './resource.ts';
import { type CheckedListQuery, checkListQuery, type ListQuery } from './resourceQuery.ts';

export interface ResourcePage {
  items: Record<string, Json>[];
  /** Undefined on the last page. */
  nextCursor: string | undefined;
}

interface Row {
  items: string;
  /** Of the last row. */
  oldest: string | null;
}

/** A page of a workspace's rows, newest first; one statement. Throws VALIDATION_FAILED for a query it cannot take. */
export async function listResource(
  database: Database,
  workspaceId: string,
  resource: Resource,
  query: ListQuery,
): Promise<ResourcePage> {
  const checked = checkListQuery(resource, query);
  const [row] = await rowsOf<Row>(database, listStatement(workspaceId, resource, checked));
  if (!row) throw new Error('an aggregate without a row');
  const items = JSON.parse(row.items) as Record<string, Json>[];
  const next = items.length > checked.limit ? items.pop() : undefined;
  return {
    items: items.map((item) => present(resource, item)),
    nextCursor: next && row.oldest !== null ? writeCursor({ at: row.oldest, id: String(next.id) }) : undefined,
  };
}

/**
 * The page as one JSON text: less work for the driver than a hundred rows. One row more than the limit says that
 * there is more, and where the next page begins.
 */
function listStatement(workspaceId: string, resource: Resource, query: CheckedListQuery): Prisma.Sql {
  const { newestBy, table } = resource;
  return Prisma.sql`
    SELECT coalesce(json_agg(page.item), '[]')::text AS items, ${isoTime(Prisma.sql`min(page.at)`)} AS oldest
    FROM (
      SELECT ${jsonObject(resource, query.fields)} AS item, ${newestBy} AS at
      FROM ${table} t WHERE ${listConditions(workspaceId, resource, query)}
      ORDER BY ${newestBy} DESC, t.id DESC LIMIT ${query.limit + 1}::int
    ) page`;
}

/** Which rows `t` the list has, from its cursor on. */
export function listConditions(workspaceId: string, resource: Resource, query: CheckedListQuery): Prisma.Sql {
  const { newestBy, visible } = resource;
  const { cursor, flags } = query;
  return Prisma.join(
    [
      Prisma.sql`t.workspace_id = ${workspaceId}::uuid`,
      ...query.conditions,
      ...(visible ? [visible(flags)] : []),
      ...(cursor ? [Prisma.sql`(${newestBy}, t.id) <= (${cursor.at}::timestamptz, ${cursor.id}::uuid)`] : []),
    ],
    ' AND ',
  );
}
