import type { Item } from '../../../prisma/store/items.ts';
import { MAX_NAMED, usableKey, usersOfAll } from '../../../prisma/store/usedBy.ts';
import type { ResourceRequest } from '../../resources/resourceRequest.ts';

/** Replaces the ids in `usedBy` by what a deletion of these apps would name, in one statement. */
export async function withUsers(
  items: Item[],
  { caller, services }: Pick<ResourceRequest, 'caller' | 'services'>,
): Promise<Item[]> {
  const apps = items.flatMap(({ usedBy: id }) => (typeof id === 'string' ? [{ kind: 'app' as const, id }] : []));
  if (apps.length === 0) return items;
  const users = await usersOfAll(services.database, caller.workspaceId, apps);
  return items.map((item) => {
    if (typeof item.usedBy !== 'string') return item;
    const own = users.get(usableKey({ kind: 'app', id: item.usedBy })) ?? [];
    return { ...item, usedBy: own.slice(0, MAX_NAMED), usedByTotal: own.length } as Item;
  });
}
