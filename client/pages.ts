import type { Answer, Arguments, OperationId } from './operationTypes.ts';
import type { Given } from './request.ts';
import type { Send } from './transport.ts';

/** Operations that return a list, or a page of one. */
export type ListId = {
  [Id in OperationId]: Answer<Id> extends readonly unknown[] | { items: unknown[] } ? Id : never;
}[OperationId];

export type Item<Id extends ListId> =
  Answer<Id> extends readonly (infer I)[] ? I : Answer<Id> extends { items: (infer I)[] } ? I : never;

interface Page {
  items: unknown[];
  pagination: { offset?: number; hasMore?: boolean; page?: number; totalPages?: number };
}

export async function* paginate<Id extends ListId>(
  send: Send,
  id: Id,
  given: Arguments<Id>,
): AsyncGenerator<Item<Id>, void> {
  let next: Given | undefined = given as Given;
  while (next !== undefined) {
    const answer: Response = await send(id, next);
    const body = (await answer.json()) as unknown[] | Page;
    yield* (Array.isArray(body) ? body : body.items) as Item<Id>[];
    next = Array.isArray(body) ? nextByLink(answer, next) : nextPage(body, next);
  }
}

export function nextCursor({ headers }: Response): string | undefined {
  const address = /<([^>]+)>\s*;\s*rel="?next"?/.exec(headers.get('link') ?? '')?.[1];
  return address === undefined ? undefined : (new URL(address, 'http://any').searchParams.get('cursor') ?? undefined);
}

function nextByLink(answer: Response, given: Given): Given | undefined {
  const cursor = nextCursor(answer);
  return cursor === undefined ? undefined : withQuery(given, { cursor });
}

function nextPage({ items, pagination }: Page, given: Given): Given | undefined {
  const { offset, hasMore, page, totalPages } = pagination;
  if (offset !== undefined)
    return hasMore && items.length > 0 ? withQuery(given, { offset: offset + items.length }) : undefined;
  return page !== undefined && totalPages !== undefined && page < totalPages
    ? withQuery(given, { page: page + 1 })
    : undefined;
}

function withQuery(given: Given, query: Record<string, unknown>): Given {
  return { ...given, query: { ...given.query, ...query } };
}
