import type { Item } from '../../prisma/store/items.ts';
import type { ResourceRequest } from '../resources/resourceRequest.ts';
import { withIcons } from './withIcons.ts';

export function withPathIcons(items: Item[], { services }: ResourceRequest): Item[] {
  return items.map((item) =>
    item.executionPath === undefined
      ? item
      : { ...item, executionPath: withIcons(services.catalogue, item.executionPath) },
  );
}
