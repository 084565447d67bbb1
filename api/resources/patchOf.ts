import type { Json } from '../../domain/json.ts';
import { changeResource } from '../../prisma/store/changeResource.ts';
import type { Refusal } from '../../prisma/store/resource.ts';
import { placeOf, type ResourceOf, type ResourceRequest, type ShownOptions, shownOne } from './resourceRequest.ts';

export interface PatchRequest extends ResourceRequest {
  body: object | undefined;
}

export interface PatchOptions extends ShownOptions {
  before?: (request: PatchRequest) => Promise<void>;
  /** Rows that refuse this change. */
  frozen?: (change: Readonly<Record<string, Json>>) => readonly Refusal[];
  after?: (request: PatchRequest) => Promise<void>;
}

/** Sets the given fields by Resource.changes. PUT does the same. */
export function patchOf(resourceOf: ResourceOf, { before, frozen, after, ...options }: PatchOptions = {}) {
  return async (request: PatchRequest): Promise<unknown> => {
    const { resource, id, ...place } = placeOf(resourceOf, request);
    const { caller, query, body = {}, services } = request;
    await before?.(request);
    const change = body as Record<string, Json>;
    const item = await changeResource(services.database, caller, resource, id, change, {
      ...{ query, ...place, frozen: frozen?.(change), expected: request.expected },
    });
    await after?.(request);
    return shownOne(item, options, request);
  };
}
