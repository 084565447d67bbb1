import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query';
import { type Arguments, type Item, type ListId, nextCursor } from 'perdure-client';
import { client } from '../session/session.ts';

export const PAGE_SIZE = 50;

export interface RowPage<Row> {
  rows: Row[];
  next: string | undefined;
}

type CursorListId = { [Id in ListId]: Arguments<Id> extends { query?: { cursor?: string } } ? Id : never }[ListId];

/**
 * Pages for `useInfiniteQuery`; empty query values are omitted.
 * `name`: the key of a list whose query changes with time. Its loaded pages stay, and it is read again each minute.
 */
export function pagesOf<Id extends CursorListId>(id: Id, given: Arguments<Id>, name?: object) {
  return infiniteQueryOptions({
    queryKey: [id, name ?? given],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }): Promise<RowPage<Item<Id>>> => {
      const asked = { limit: PAGE_SIZE, ...(given as { query?: Record<string, unknown> }).query, cursor: pageParam };
      const query = Object.fromEntries(
        Object.entries(asked).filter(([, value]) => value !== undefined && value !== ''),
      );
      const answer = await client.send(id, { ...given, query, signal } as Arguments<Id>);
      return { rows: (await answer.json()) as Item<Id>[], next: nextCursor(answer) };
    },
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => name !== undefined && !isLongList(state.data) && MINUTE_MS,
    refetchOnWindowFocus: ({ state }) => !isLongList(state.data),
    refetchOnReconnect: ({ state }) => !isLongList(state.data),
  });
}

const MINUTE_MS = 60_000;
const READ_WHOLE_PAGES = 5;

/** Whether too many pages are loaded to refetch them after each change. People reload such a list themselves. */
export function isLongList(data: unknown): boolean {
  const { pages } = (data ?? {}) as { pages?: unknown[] };
  return Array.isArray(pages) && pages.length > READ_WHOLE_PAGES;
}
