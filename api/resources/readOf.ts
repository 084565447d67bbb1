import { readResource } from '../../prisma/store/readResource.ts';
import { placeOf, type ResourceOf, type ResourceRequest, type ShownOptions, shownOne } from './resourceRequest.ts';

/** The read of one, by the id in its path. */
export function readOf(resourceOf: ResourceOf, options: ShownOptions = {}) {
  return async (request: ResourceRequest): Promise<unknown> => {
    const { resource, id, ...place } = placeOf(resourceOf, request);
    const { caller, query, services } = request;
    const item = await readResource(services.database, caller, resource, id, { query, ...place });
    return shownOne(item, options, request);
  };
}
