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
 * `objects.changed`: what the database has noted since the last look. The cursor is where the last one ended, and moves on
 * once every change has its execution: each starts one, also where a look is repeated.
 */
export function buildObjectsChanged({ database, maxItems }: ChangedSettings): Poller {
  return async ({ inputs, cursor, workspaceId, startWith }) => {
    const { objectTypeSlug, changes = [] } = inputs as { objectTypeSlug?: string; changes?: string[] };
    const from = positionOf(cursor);
    // What happened before the workflow began to look is none of its business.
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
