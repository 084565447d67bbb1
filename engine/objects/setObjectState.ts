import type { Viewer } from '../../domain/access/viewer.ts';
import type { ObjectChecks } from '../../domain/object/compiledRules.ts';
import { requireMove } from '../../domain/object/transitions.ts';
import type { Database } from '../../prisma/client.ts';
import type { Item } from '../../prisma/store/items.ts';
import { hasMoved, moveObject, type ObjectMove } from '../../prisma/store/object/moveObject.ts';
import { readObject } from '../../prisma/store/object/readObject.ts';
import { OBJECT } from '../../prisma/store/object/resource.ts';
import { type ReadOptions, readResource } from '../../prisma/store/readResource.ts';
import { requireFit } from './fitType.ts';
import { retryOnConflict } from './retryOnConflict.ts';

/**
 * Moves an entity to a state, and answers it as a read would. A move that an earlier try has made (the same id) is not made
 * again. Throws NOT_FOUND, INVALID_TRANSITION, REASON_REQUIRED, MISSING_FIELDS.
 */
export async function setObjectState(
  database: Database,
  viewer: Viewer,
  id: string,
  move: ObjectMove,
  checks: ObjectChecks,
  options: ReadOptions,
): Promise<Item> {
  const read = () => readResource(database, viewer, OBJECT, id, options);
  return retryOnConflict('entity', async () => {
    const object = await readObject(database, viewer, id);
    try {
      requireMove(object.type.rules.stateSchema, object, move);
      // The type may be about to lose this state.
      if (object.type.nextRules) await requireFit(object.type, { ...object, state: move.to }, checks);
    } catch (error) {
      if (await hasMoved(database, id, move.id)) return read();
      throw error;
    }
    const moved = await moveObject(database, viewer, object, move, options);
    return moved ?? ((await hasMoved(database, id, move.id)) ? read() : undefined);
  });
}
