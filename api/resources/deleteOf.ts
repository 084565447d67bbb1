import { deleteResource } from '../../prisma/store/deleteResource.ts';
import { placeOf, type ResourceOf, type ResourceRequest } from './resourceRequest.ts';

export interface DeleteOptions {
  answers: 'true' | 'confirmation';
  before?: (request: DeleteRequest) => Promise<void>;
  after?: (request: DeleteRequest, id: string) => Promise<void>;
}

export type DeleteRequest = Omit<ResourceRequest, 'query'>;

export function deleteOf(resourceOf: ResourceOf, { answers, before, after }: DeleteOptions) {
  return async (request: DeleteRequest): Promise<unknown> => {
    const { resource, id, scope } = placeOf(resourceOf, { ...request, query: {} });
    await before?.(request);
    await deleteResource(request.services.database, request.caller, resource, id, {
      ...{ scope, expected: request.expected },
    });
    await after?.(request, id);
    return answers === 'true' ? true : { id, deleted: true };
  };
}
