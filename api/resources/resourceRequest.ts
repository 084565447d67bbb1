import type { Item } from '../../prisma/store/items.ts';
import type { Resource } from '../../prisma/store/resource.ts';
import type { ListQuery } from '../../prisma/store/resourceQuery.ts';
import type { Expected } from '../../prisma/store/rowTag.ts';
import type { Caller } from '../access/caller.ts';
import type { Services } from '../services.ts';

export interface ResourceRequest {
  caller: Caller;
  params: object;
  query: ListQuery;
  services: Services;
  /** Required state of the row (If-Match). */
  expected?: Expected | undefined;
}

export type ResourceOf = Resource | ((services: Services) => Resource);

export interface ShownOptions {
  /** Adds data to the answer that is not in the database. */
  shown?: (items: Item[], request: ResourceRequest) => Item[] | Promise<Item[]>;
}

export function placeOf(resourceOf: ResourceOf, { params, services }: ResourceRequest) {
  const resource = typeof resourceOf === 'function' ? resourceOf(services) : resourceOf;
  const given = params as Record<string, string>;
  const scope = Object.fromEntries(
    Object.keys(resource.scope ?? {}).flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]])),
  );
  const answerBytes = services.config.MAX_ANSWER_BYTES;
  return { resource, id: given[paramOf(resource)] ?? '', scope, answerBytes };
}

export function paramOf({ param, name }: Resource): string {
  return param ?? `${name}Id`;
}

export async function shownOne(item: Item, { shown }: ShownOptions, request: ResourceRequest): Promise<Item> {
  const [answered = item] = shown ? await shown([item], request) : [item];
  return answered;
}
