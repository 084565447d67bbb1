import { isJsonObject, type Json } from '../../../domain/json.ts';
import type { Database } from '../../../prisma/client.ts';
import { type ChangePosition, readObjectChanges } from '../../../prisma/store/object/changes.ts';
import type { Poller } from '../poller.ts';

export interface ChangedSettings {
  database: Database;
  /** Changes that are read at once; the next poll continues. */
  maxItems: number;
}

/**
 * `objects.changed`: the changes since the last poll or since the trigger was switched on. The cursor advances once
 * every change has its execution. Each change starts exactly one, even if a poll is repeated.
 */
export function buildObjectsChanged({ database, maxItems }: ChangedSettings): Poller {
  return async ({ inputs, cursor, workspaceId, startWith, sinceTransaction = '0' }) => {
    const { objectTypeSlug, changes = [] } = inputs as { objectTypeSlug?: string; changes?: string[] };
    const first = { transaction: startWith === 'new' ? sinceTransaction : '0', id: '0' };
    const from = positionOf(cursor) ?? first;
    const filter = { slug: objectTypeSlug || undefined, kinds: changes };
    const { items, position } = await readObjectChanges(database, workspaceId, from, filter, maxItems);
    return {
      ok: true,
      items: items.map(({ id, starters, ...item }) => ({ key: id, item: item as unknown as Json, starters })),
      cursor: { ...position },
      areNew: true,
    };
  };
}

function positionOf(cursor: Json): ChangePosition | undefined {
  if (!isJsonObject(cursor)) return undefined;
  const { transaction, id } = cursor;
  return typeof transaction === 'string' && typeof id === 'string' ? { transaction, id } : undefined;
}
