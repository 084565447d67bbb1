import { cursorBehind, idOfCursor, notOfThisList } from './idCursor.ts';
import { DEFAULT_LIMIT, type ListQuery } from './resourceQuery.ts';

export interface ListPage<T> {
  items: T[];
  nextCursor: string | undefined;
}

/** Returns a page of a list in memory. Throws VALIDATION_FAILED for a cursor of another list. */
export function pageOfAll<T>(
  list: string,
  all: readonly T[],
  idOf: (item: T) => string,
  { limit = DEFAULT_LIMIT, cursor }: Pick<ListQuery, 'limit' | 'cursor'>,
): ListPage<T> {
  const from = cursor === undefined ? 0 : positionBehind(all, idOf, idOfCursor(list, cursor, 'text'));
  const items = all.slice(from, from + limit);
  const last = from + limit < all.length ? items.at(-1) : undefined;
  return { items, nextCursor: last === undefined ? undefined : cursorBehind(list, idOf(last)) };
}

function positionBehind<T>(all: readonly T[], idOf: (item: T) => string, id: string): number {
  const index = all.findIndex((item) => idOf(item) === id);
  if (index < 0) throw notOfThisList();
  return index + 1;
}
