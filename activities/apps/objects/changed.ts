import { isJsonObject, type Json } from '../../../domain/json.ts';
import type { Database } from '../../../prisma/client.ts';
import { latestChange, readObjectChanges } from '../../../prisma/store/object/changes.ts';
import type { Poller } from '../poller.ts';

export interface ChangedSettings {
  database: Database;
  /** Changes that are read at once; the next look reads on. */
  maxItems: number;
}

/**
 * `objects.changed`: the changes in the database since the last poll. The cursor is the end of the last poll and
 * advances once every change has its execution: each change starts one, even if a poll is repeated.
 */
export function buildObjectsChanged({ database, maxItems }: ChangedSettings): Poller {
  return async ({ inputs, cursor, workspaceId, startWith }) => {
    const { objectTypeSlug, changes = [] } = inputs as { objectTypeSlug?: string; changes?: string[] };
    const from = positionOf(cursor);
    // Changes before the first poll of the workflow are ignored.
    if (!from && startWith === 'new') {
      return { ok: true, items: [], cursor: await latestChange(database, workspaceId) };
    }
    const filter = { slug: objectTypeSlug || undefined, kinds: changes };
    const { items, position } = await readObjectChanges(database, workspaceId, from ?? START, filter, maxItems);
    return {
      ok: true,
      items: items.map(({ id, ...item }) => ({ key: id, item: item as unknown as Json })),
      cursor: { ...position },
    };
  };
}

const START = { transaction: '0', id: '0' };

function positionOf(cursor: Json): typeof START | undefined {
  if (!isJsonObject(cursor)) return undefined;
  const { transaction, id } = cursor;
  return typeof transaction === 'string' && typeof id === 'string' ? { transaction, id } : undefined;
}
