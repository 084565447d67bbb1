import { refuse } from '../../../domain/object/checkObject.ts';
import type { ListOptions } from '../../../prisma/store/listResource.ts';
import { type ObjectSort, objectConditions, objectOrder } from '../../../prisma/store/object/objectFilters.ts';
import type { OperationRequest } from '../../operation.ts';
import type { ResourceRequest } from '../../resources/resourceRequest.ts';

/** As in openapi.yaml; the validator does not see these. */
const MAX_ATTRIBUTES = 20;
const MAX_NAME_LENGTH = 200;

export function objectListFilters({ caller, query }: ResourceRequest): Pick<ListOptions, 'conditions' | 'order'> {
  const given = query as OperationRequest<'listObjects'>['query'];
  const { attributeFilters: attributes = {}, sortBy, sortOrder, states, state, ...filters } = given;
  requireFew(attributes);
  const conditions = objectConditions(caller.workspaceId, { ...filters, attributes });
  if (state !== undefined) conditions.push(...objectConditions(caller.workspaceId, { states: [state] }));
  const listed = states?.split(',').map((each) => each.trim()) ?? [];
  const some = listed.filter((each) => each !== '');
  if (some.length > 0) conditions.push(...objectConditions(caller.workspaceId, { states: some }));
  if (sortBy === undefined && sortOrder === undefined) return { conditions };
  // Without `sortBy`, the order of the list in the requested direction.
  return { conditions, order: objectOrder((sortBy ?? 'updatedAt') as ObjectSort, sortOrder ?? 'asc') };
}

function requireFew(attributes: Readonly<Record<string, string>>): void {
  const names = Object.keys(attributes);
  if (names.length > MAX_ATTRIBUTES) {
    refuse('VALIDATION_FAILED', [
      {
        path: `attributes.${names[MAX_ATTRIBUTES]}`,
        message: `expected at most ${MAX_ATTRIBUTES} attributes`,
      },
    ]);
  }
  const long = names.find((name) => name.length > MAX_NAME_LENGTH);
  if (long !== undefined) {
    const path = `attributes.${long.slice(0, MAX_NAME_LENGTH)}`;
    refuse('VALIDATION_FAILED', [{ path, message: `expected a name of at most ${MAX_NAME_LENGTH} characters` }]);
  }
}
