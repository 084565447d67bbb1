import type { Viewer } from '../../domain/access/viewer.ts';
import { isUuid } from '../../domain/isUuid.ts';
import { DEFAULT_ANSWER_BYTES } from '../../domain/limits.ts';
import { Problem } from '../../domain/problem.ts';
import type { Database } from '../client.ts';
import { Prisma } from '../generated/client.ts';
import { rowsOf } from '../rowsOf.ts';
import { type Item, itemOf, itemsSql } from './items.ts';
import { type Resource, resourceFor } from './resource.ts';
import { checkReadQuery, checkShown, type ReadQuery } from './resourceQuery.ts';
import { type Key, rowByKey, rowOf } from './rows.ts';
import { type TaggedRow, tagColumns, taggedItem, withRowTag } from './rowTag.ts';

export interface ReadOptions {
  query?: ReadQuery;
  scope?: Readonly<Record<string, string>>;
  answerBytes?: number;
}

/** Throws NOT_FOUND, VALIDATION_FAILED for an unknown expansion or flag, and FORBIDDEN for a hidden field. */
export async function readResource(
  database: Database,
  viewer: Viewer,
  resource: Resource,
  name: string | Key,
  { query = {}, scope, answerBytes = DEFAULT_ANSWER_BYTES }: ReadOptions = {},
): Promise<Item> {
  const { fields, flags } = checkReadQuery(resource, query);
  checkShown(resource, viewer, fields);
  if (typeof name === 'string' && !isUuid(name)) throw notFound(resource);
  const row =
    typeof name === 'string'
      ? rowOf(resource, viewer, name, { flags, scope })
      : rowByKey(resource, viewer, name, { flags, scope });
  const from = Prisma.sql`FROM ${resource.table} t WHERE ${row}`;
  const shown = { resource: resourceFor(resource, viewer), fields, answerBytes, single: true };
  const item = itemsSql(shown, from, tagColumns(resource));
  const [found] = await rowsOf<TaggedRow>(database, Prisma.sql`SELECT ${taggedItem(resource)} FROM (${item}) page`);
  if (!found) throw notFound(resource);
  return withRowTag(itemOf(resource, JSON.parse(found.item) as Item, database), found.tag);
}

export function notFound({ noun }: Pick<Resource, 'noun'>): Problem {
  return new Problem('NOT_FOUND', `The ${noun} does not exist`);
}
