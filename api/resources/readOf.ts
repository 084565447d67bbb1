import { readResource } from '../../prisma/store/readResource.ts';
import { placeOf, type ResourceOf, type ResourceRequest, type ShownOptions, shownOne } from './resourceRequest.ts';

export interface ReadOfOptions extends ShownOptions {
  /** A name of Resource.keys, as in the path; the id by default. */
  by?: string;
}

export function readOf(resourceOf: ResourceOf, { by, ...options }: ReadOfOptions = {}) {
  return async (request: ResourceRequest): Promise<unknown> => {
    const { resource, id, ...place } = placeOf(resourceOf, request);
    const { caller, query, services } = request;
    const key = by === undefined ? id : { name: by, value: (request.params as Record<string, string>)[by] ?? '' };
    const item = await readResource(services.database, caller, resource, key, { query, ...place });
    return shownOne(item, options, request);
  };
}
