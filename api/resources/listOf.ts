import { countedPage } from '../../prisma/store/countedPage.ts';
import type { Item } from '../../prisma/store/items.ts';
import { type ListOptions, listResource } from '../../prisma/store/listResource.ts';
import { Page } from '../operation.ts';
import { placeOf, type ResourceOf, type ResourceRequest, type ShownOptions } from './resourceRequest.ts';

/** Pages by cursor (an array and `Link`), by `limit` and `offset`, or by `page` and `pageSize`. */
export type Paging = { by: 'cursor' } | { by: 'offset'; limit: number } | { by: 'page'; pageSize: number };

export interface ListOfOptions extends ShownOptions {
  /** Paging with a total, and its default limit; by cursor if absent. */
  paging?: Paging;
  /** Filters from the operation's own parameters, in addition to filterBy. May throw VALIDATION_FAILED. */
  narrowed?: (request: ResourceRequest) => Pick<ListOptions, 'conditions' | 'order' | 'total'>;
}

export function listOf(resourceOf: ResourceOf, { paging = { by: 'cursor' }, shown, narrowed }: ListOfOptions = {}) {
  return async (request: ResourceRequest): Promise<unknown> => {
    const { resource, ...place } = placeOf(resourceOf, request);
    const options = { ...place, ...narrowed?.(request) };
    const { caller, query, services } = request;
    const touched = (items: Item[]) => (shown ? shown(items, request) : items);
    if (paging.by === 'cursor') {
      const page = await listResource(services.database, caller, resource, query, options);
      return new Page(await touched(page.items), page.nextCursor);
    }
    const window = windowOf(paging, query);
    const page = await countedPage(services.database, caller, resource, query, window, options);
    return { items: await touched(page.items), pagination: pagination(paging, window, page.total) };
  };
}

interface Window {
  limit: number;
  offset: number;
}

function windowOf(paging: Exclude<Paging, { by: 'cursor' }>, query: ResourceRequest['query']): Window {
  if (paging.by === 'offset') return { limit: query.limit ?? paging.limit, offset: query.offset ?? 0 };
  const limit = query.pageSize ?? paging.pageSize;
  return { limit, offset: ((query.page ?? 1) - 1) * limit };
}

export function pagination({ by }: Paging, { limit, offset }: Window, total: number): object {
  if (by === 'offset') return { total, limit, offset, hasMore: offset + limit < total };
  return { page: offset / limit + 1, pageSize: limit, total, totalPages: Math.ceil(total / limit) };
}
