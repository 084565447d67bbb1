import type { Viewer } from '../../domain/access/viewer.ts';
import type { JsonObject } from '../../domain/json.ts';
import { mergeAttributes } from '../../domain/object/attributes.ts';
import type { ObjectChecks } from '../../domain/object/compiledRules.ts';
import { requireMove } from '../../domain/object/transitions.ts';
import type { Database } from '../../prisma/client.ts';
import type { Item } from '../../prisma/store/items.ts';
import { hasMoved, moveObject, type ObjectMove } from '../../prisma/store/object/moveObject.ts';
import { readObject } from '../../prisma/store/object/readObject.ts';
import { OBJECT } from '../../prisma/store/object/resource.ts';
import { type ReadOptions, readResource } from '../../prisma/store/readResource.ts';
import { requireFit } from './fitType.ts';
import { requireChange } from './requireChange.ts';
import { retryOnConflict } from './retryOnConflict.ts';

export interface WantedMove extends Omit<ObjectMove, 'attributes'> {
  /** Merged at the top level, as by an update; null removes one. */
  attributes?: JsonObject | undefined;
}

/**
 * Moves an entity to a state and sets attributes in one write; a repeated move (same id) changes nothing. Throws
 * NOT_FOUND, INVALID_TRANSITION, REASON_REQUIRED, MISSING_FIELDS, and a Problem for misfits.
 */
export async function setObjectState(
  database: Database,
  viewer: Viewer,
  id: string,
  { attributes: supplied, ...wanted }: WantedMove,
  checks: ObjectChecks,
  options: ReadOptions,
): Promise<Item> {
  const read = () => readResource(database, viewer, OBJECT, id, options);
  return retryOnConflict('entity', async () => {
    const object = await readObject(database, viewer, id);
    const attributes = mergeAttributes(object.attributes, supplied ?? {});
    try {
      requireMove(object.type.rules.stateSchema, { ...object, attributes }, wanted);
      const next = { ...object, attributes, state: wanted.to };
      if (supplied !== undefined)
        await requireChange(database, viewer.workspaceId, next, { attributes: supplied }, checks);
      // The type may be about to lose this state.
      else if (object.type.nextRules) await requireFit(object.type, next, checks);
    } catch (error) {
      if (await hasMoved(database, id, wanted.id)) return read();
      throw error;
    }
    const move = supplied === undefined ? wanted : { ...wanted, attributes };
    const moved = await moveObject(database, viewer, object, move, options);
    return moved ?? ((await hasMoved(database, id, wanted.id)) ? read() : undefined);
  });
}
