import { Problem } from '../../domain/problem.ts';
import { Prisma } from '../generated/client.ts';
import { readCursor, writeCursor } from './cursor.ts';
import type { OrderKey } from './order.ts';
import { DEFAULT_LIMIT, type ListQuery } from './resourceQuery.ts';

const BY_ID: readonly OrderKey[] = [{ sql: Prisma.empty, type: 'text', direction: 'asc' }];

/**
 * A page of a list that the process has whole, in its order: `list` names it, and cursors hold the id of an item. Throws
 * VALIDATION_FAILED for the cursor of another list.
 */
export function pageOfAll<T>(
  list: string,
  all: readonly T[],
  idOf: (item: T) => string,
  { limit = DEFAULT_LIMIT, cursor }: Pick<ListQuery, 'limit' | 'cursor'>,
): { items: T[]; nextCursor: string | undefined } {
  const from = cursor === undefined ? 0 : positionBehind(list, all, idOf, cursor);
  const items = all.slice(from, from + limit);
  const last = from + limit < all.length ? items.at(-1) : undefined;
  const nextCursor =
    last === undefined ? undefined : writeCursor(list, { position: [idOf(last)], seen: null, inChanged: false });
  return { items, nextCursor };
}

function positionBehind<T>(list: string, all: readonly T[], idOf: (item: T) => string, cursor: string): number {
  const id = readCursor(cursor, list, BY_ID, false)?.position?.[0];
  const index = all.findIndex((item) => idOf(item) === id);
  if (index >= 0) return index + 1;
  const errors = [{ path: 'cursor', message: 'is not a cursor of this list' }];
  throw new Problem('VALIDATION_FAILED', 'cursor: is not a cursor of this list', { errors });
}
