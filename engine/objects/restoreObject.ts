import type { Viewer } from '../../domain/access/viewer.ts';
import { refuse } from '../../domain/object/checkObject.ts';
import type { ObjectChecks } from '../../domain/object/compiledRules.ts';
import { compiledType } from '../../domain/object/compiledTypes.ts';
import { stateOf } from '../../domain/object/stateSchema.ts';
import { Problem } from '../../domain/problem.ts';
import type { Database } from '../../prisma/client.ts';
import type { Item } from '../../prisma/store/items.ts';
import { findMatches } from '../../prisma/store/object/importBatch.ts';
import type { StoredObject } from '../../prisma/store/object/readObject.ts';
import { readDeletable, restore } from '../../prisma/store/object/restoreObject.ts';
import type { ReadOptions } from '../../prisma/store/readResource.ts';
import { requireFit } from './fitType.ts';
import { matchFieldOf } from './matchFieldOf.ts';
import { requireReferences } from './requireReferences.ts';
import { retryOnConflict } from './retryOnConflict.ts';

/**
 * Restores a deleted entity; an existing one does not change. Throws NOT_FOUND, and CONFLICT if it no longer fits its
 * type, or another entity has its value of `matchField`.
 */
export async function restoreObject(
  database: Database,
  viewer: Viewer,
  id: string,
  checks: ObjectChecks,
  options: ReadOptions & { matchField?: string | undefined },
): Promise<Item> {
  return retryOnConflict('entity', async () => {
    const object = await readDeletable(database, viewer, id);
    try {
      const { state, type } = object;
      const { stateSchema } = type.rules;
      if (state !== null && !(stateSchema && stateOf(stateSchema, state))) {
        const message = `${JSON.stringify(state)} is no longer a state of the type`;
        throw new Problem('VALIDATION_FAILED', message, { errors: [{ path: 'state', message }] });
      }
      // Old references may name deleted entities.
      const announced = (await requireFit(type, object, checks)).filter(({ isAnnounced }) => isAnnounced);
      await requireReferences(database, viewer.workspaceId, announced, null, checks.check);
    } catch (error) {
      if (!(error instanceof Problem) || error.retryAfter !== undefined) throw error;
      throw new Problem('CONFLICT', `The entity does not fit its type any more: ${error.message}`, {
        ...(error.errors ? { errors: error.errors } : {}),
        cause: error,
      });
    }
    if (options.matchField !== undefined) await requireUnmatched(database, viewer, object, options.matchField);
    return restore(database, viewer, object, options);
  });
}

async function requireUnmatched(
  database: Database,
  { workspaceId }: Viewer,
  { id, name, attributes, type }: StoredObject,
  matchField: string,
): Promise<void> {
  const { match, problem } = matchFieldOf(matchField, compiledType(type.id, type.version, type.rules));
  if (match === undefined) refuse('VALIDATION_FAILED', [problem]);
  const value = match === 'name' ? name : attributes[match.attribute];
  if (value === undefined || value === null) return;
  const [found] = await findMatches(database, workspaceId, type.id, match, [value]);
  if (!found || (found.count === 1 && found.id === id)) return;
  const message = `another entity of the type has this value: ${found.id}`;
  throw new Problem('CONFLICT', `${matchField}: ${message}`, { errors: [{ path: 'matchField', message }] });
}
