import type { Viewer } from '../../domain/access/viewer.ts';
import { DEFAULT_ANSWER_BYTES } from '../../domain/limits.ts';
import type { Database } from '../client.ts';
import { Prisma } from '../generated/client.ts';
import { rowsOf } from '../rowsOf.ts';
import { changedSince, SEEN_NOW } from './changedRows.ts';
import { type Cursor, readCursor, type Seen, writeCursor } from './cursor.ts';
import { type Item, itemOf, itemsSql } from './items.ts';
import { afterPosition, keyText, type Order, type OrderKey, orderBy, orderKeysOf } from './order.ts';
import { type ParentsRow, parentChecks } from './parents.ts';
import { type Resource, resourceFor } from './resource.ts';
import { type CheckedListQuery, checkListQuery, checkShown, DEFAULT_LIMIT, type ListQuery } from './resourceQuery.ts';
import { listedRows, type Selection } from './rows.ts';

export interface ResourcePage {
  items: Item[];
  nextCursor: string | undefined;
}

export interface ListOptions {
  scope?: Readonly<Record<string, string>>;
  conditions?: readonly Prisma.Sql[];
  order?: Order;
  /** A query for the total that avoids counting. */
  total?: Prisma.Sql | undefined;
  /** Maximum total bytes of large values. */
  answerBytes?: number;
}

interface List {
  database: Database;
  viewer: Viewer;
  resource: Resource;
  order: Order;
  keys: OrderKey[];
  checked: CheckedListQuery;
  selection: Selection;
  answerBytes: number;
}

/** A second statement follows an order in which rows move (changedRows.ts). Throws VALIDATION_FAILED, NOT_FOUND. */
export async function listResource(
  database: Database,
  viewer: Viewer,
  resource: Resource,
  query: ListQuery,
  { scope = {}, conditions = [], order = resource.order, answerBytes = DEFAULT_ANSWER_BYTES }: ListOptions = {},
): Promise<ResourcePage> {
  const keys = orderKeysOf(order);
  const name = [resource.name, order.name, ...Object.values(scope)].join(' ');
  const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor, name, keys, Boolean(order.moves));
  const wrong = cursor === null ? [{ path: 'cursor', message: 'is not a cursor of this list' }] : [];
  const checked = checkListQuery(resource, viewer, query, wrong);
  checkShown(resource, viewer, checked.fields);
  const selection = { flags: checked.flags, conditions: [...checked.conditions, ...conditions], scope };
  const list: List = { database, viewer, resource, order, keys, checked, selection, answerBytes };
  const { items, next } = await pagesFrom(list, cursor ?? undefined, query.limit ?? DEFAULT_LIMIT);
  return { items, nextCursor: next && writeCursor(name, next) };
}

interface Stretch {
  items: Item[];
  next: Cursor | undefined;
}

async function pagesFrom(list: List, cursor: Cursor | undefined, limit: number): Promise<Stretch> {
  if (cursor?.inChanged) return changed(list, cursor, limit);
  const page = await inOrder(list, cursor, limit);
  const seen = cursor?.seen;
  if (page.next || !seen) return page;
  const rest = await changed(list, { seen, position: null, inChanged: true }, limit - page.items.length);
  return { items: [...page.items, ...rest.items], next: rest.next };
}

async function inOrder(list: List, cursor: Cursor | undefined, limit: number): Promise<Stretch> {
  const { keys, order } = list;
  const from = cursor?.position ? [afterPosition(keys, cursor.position)] : [];
  const { items, position, seen } = await pageOf(list, keys, from, limit, Boolean(order.moves) && !cursor);
  if (position === undefined) return { items, next: undefined };
  return { items, next: { position, seen: cursor?.seen ?? seen, inChanged: false } };
}

async function changed(list: List, { seen, position }: Cursor, limit: number): Promise<Stretch> {
  const { moves } = list.order;
  if (!moves || !seen) throw new Error('a cursor of an order in which nothing moves');
  const keys = list.keys.slice(-1).map((key): OrderKey => ({ ...key, direction: 'asc' }));
  const from = [changedSince(moves, seen), ...(position ? [afterPosition(keys, position)] : [])];
  const page = await pageOf(list, keys, from, limit, false);
  const { items, position: last } = page;
  return { items, next: last === undefined ? undefined : { seen, position: last, inChanged: true } };
}

interface Row {
  items: string;
  hasMore: boolean;
  position: (string | null)[];
  parents: ParentsRow;
  seenAt: string | null;
  snapshot: string | null;
}

interface PageOf {
  items: Item[];
  /** Position of the last row if there are more; null if the page is empty. */
  position: Cursor['position'] | undefined;
  seen: Seen | null;
}

/** One JSON text costs the driver less than a hundred rows. Reads one row more than `limit`. */
async function pageOf(
  list: List,
  keys: readonly OrderKey[],
  from: readonly Prisma.Sql[],
  limit: number,
  isFirst: boolean,
): Promise<PageOf> {
  const { database, viewer, resource, checked, selection, answerBytes } = list;
  const where = listedRows(resource, viewer, { ...selection, conditions: [...(selection.conditions ?? []), ...from] });
  const page = itemsSql(
    { resource: resourceFor(resource, viewer), fields: checked.fields, answerBytes, single: false },
    Prisma.sql`FROM ${resource.table} t WHERE ${where} ORDER BY ${orderBy(keys)} LIMIT ${limit + 1}::int`,
    keys.map(({ sql }, index) => ({ name: `#${index}`, sql })),
  );
  const ofLast = keys.map(({ type }, index) =>
    keyText(type, Prisma.sql`(array_agg(page.${Prisma.raw(`"#${index}"`)}))[${limit}::int]`),
  );
  const parents = parentChecks(resource, viewer, selection);
  const [row] = await rowsOf<Row>(
    database,
    Prisma.sql`
    SELECT coalesce(json_agg(page.item), '[]')::text AS items, count(*) > ${limit}::int AS "hasMore",
      ARRAY[${Prisma.join(ofLast)}] AS position,
      ${isFirst ? SEEN_NOW.at : Prisma.sql`NULL`} AS "seenAt", ${isFirst ? SEEN_NOW.snapshot : Prisma.sql`NULL`} AS snapshot,
      ${parents.sql} AS parents
    FROM (${page}) page`,
  );
  if (!row) throw new Error('an aggregate without a row');
  parents.require(row.parents);
  const items = JSON.parse(row.items) as Item[];
  if (row.hasMore) items.pop();
  return {
    items: items.map((item) => itemOf(resource, item, database)),
    position: row.hasMore ? (limit > 0 ? row.position : null) : undefined,
    seen: row.seenAt !== null && row.snapshot !== null ? { at: row.seenAt, snapshot: row.snapshot } : null,
  };
}
