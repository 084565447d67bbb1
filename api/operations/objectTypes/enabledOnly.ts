import type { ListOptions } from '../../../prisma/store/listResource.ts';
import { ENABLED } from '../../../prisma/store/objectType/resource.ts';
import type { ResourceRequest } from '../../resources/resourceRequest.ts';

/** Disabled types are listed where `includeDisabled` asks for them. */
export function enabledOnly({ query }: ResourceRequest): Pick<ListOptions, 'conditions'> {
  const { includeDisabled = false } = query as { includeDisabled?: boolean };
  return includeDisabled ? {} : { conditions: [ENABLED] };
}
