import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, type Arguments, isProblem } from 'perdure-client';
import { pagesOf } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';
import type { SearchOf } from '../../ui/search.ts';

type Search = SearchOf<'/frame/objects/$typeSlug'>;

export type ObjectType = Answer<'getObjectType'>;
export type Entity = Answer<'getObject'>;
export type Transition = Answer<'getObjectTransitions'>['transitions'][number];

const TYPE_ROW = 'name,slug,description,countObjects,isEnabled,managedByCode,updatedAt';
const TYPE = `${TYPE_ROW},attributeSchema,stateSchema,allowUnknownAttributes`;

export const typePages = () => pagesOf('listObjectTypes', { query: { expansion: TYPE_ROW, includeDisabled: true } });

export const typeKey = (slug: string): string[] => ['getObjectTypeBySlug', slug];

export function typeBySlug(slug: string) {
  return queryOptions({
    queryKey: typeKey(slug),
    queryFn: ({ signal }) => client.getObjectTypeBySlug({ path: { slug }, query: { expansion: TYPE }, signal }),
  });
}

/** Whether a type has the slug: an upsert would change that type. */
export async function isSlugTaken(slug: string): Promise<boolean> {
  try {
    await client.getObjectTypeBySlug({ path: { slug } });
    return true;
  } catch (error) {
    if (isProblem(error) && error.status === 404) return false;
    throw error;
  }
}

const ROW = 'name,state,attributes,owner,createdAt,updatedAt,deletedAt';
const FILTER = 'attributes.';

/** Returns the filters `attributes.<name>=<value>` in the address, by API parameter. */
export const attributeFilters = (search: Search): [parameter: string, value: string][] =>
  Object.entries(search).flatMap(([name, value]) => (name.startsWith(FILTER) && value ? [[name, value]] : []));

type ListQuery = NonNullable<Parameters<typeof client.listObjects>[0]>['query'];

export function queryOf(slug: string, search: Search): NonNullable<ListQuery> {
  const { q, state, sort, order, page, deleted } = search;
  const filters = attributeFilters(search);
  return {
    objectTypeSlug: slug,
    expansion: ROW,
    ...(q ? { search: q } : {}),
    ...(state ? { states: state } : {}),
    ...(sort ? { sortBy: sort, sortOrder: order === 'desc' ? 'desc' : 'asc' } : {}),
    ...(page ? { page: Number(page) || 1 } : {}),
    ...(deleted === 'true' ? { includeType: 'deleted' } : {}),
    ...(filters.length > 0 ? { attributeFilters: Object.fromEntries(filters) } : {}),
  };
}

export function objectPage(query: NonNullable<ListQuery>) {
  return queryOptions({
    queryKey: ['listObjects', query],
    queryFn: ({ signal }) => client.listObjects({ query, signal }),
    placeholderData: keepPreviousData,
  });
}

const MAX_CARDS = 50;

export const cardsOf = (slug: string, state: string, search: Search) =>
  objectPage({ ...queryOf(slug, { ...search, state, page: undefined, deleted: undefined }), pageSize: MAX_CARDS });

export function oneObject(id: string) {
  return queryOptions({
    queryKey: ['getObject', id],
    queryFn: ({ signal }) =>
      client.getObject({
        path: { id },
        query: { expansion: `${ROW},objectType,createdBy`, includeType: 'deleted' },
        signal,
      }),
  });
}

/** Reads the current name and attributes without the cache. */
export const currentValues = (id: string): Promise<Entity> =>
  client.getObject({ path: { id }, query: { expansion: 'name,attributes' } });

export function transitionsOf(id: string) {
  return queryOptions({
    queryKey: ['getObjectTransitions', id],
    queryFn: ({ signal }) => client.getObjectTransitions({ path: { id }, signal }),
    staleTime: 0,
  });
}

export const historyPages = (id: string) => pagesOf('listObjectStateHistory', { path: { id } });

export function queueItemsOf(objectId: string) {
  return queryOptions({
    queryKey: ['listObjectQueueItems', objectId],
    queryFn: ({ signal }) => client.listObjectQueueItems({ path: { objectId }, signal }),
  });
}

const EXPORT_TIMEOUT_MS = 600_000;

export const exportEntities = (body: Arguments<'exportObjects'>['body']) =>
  client.exportObjects({ body, timeoutMs: EXPORT_TIMEOUT_MS });

export const importTemplate = (entityTypeId: string) => client.getImportTemplate({ path: { entityTypeId } });
