import type { Viewer } from '../../domain/access/viewer.ts';
import { isEqualJson } from '../../domain/isEqualJson.ts';
import type { JsonObject } from '../../domain/json.ts';
import { mergeAttributes } from '../../domain/object/attributes.ts';
import { authorOf } from '../../domain/object/author.ts';
import type { ObjectChecks } from '../../domain/object/compiledRules.ts';
import type { Database } from '../../prisma/client.ts';
import { readObject } from '../../prisma/store/object/readObject.ts';
import { writeObject } from '../../prisma/store/object/writeObject.ts';
import { requireChange } from './requireChange.ts';
import { retryOnConflict } from './retryOnConflict.ts';

/** Absent members stay unchanged. */
export interface ObjectUpdate {
  name?: string | undefined;
  /** Merged at the top level; null removes one. */
  attributes?: JsonObject | undefined;
  /** Null: no owner. */
  ownerId?: string | null | undefined;
}

/** Throws NOT_FOUND, and a Problem if the result does not fit the type. An update without a change writes nothing. */
export async function updateObject(
  database: Database,
  viewer: Viewer,
  id: string,
  { name, attributes: supplied = {}, ownerId }: ObjectUpdate,
  checks: ObjectChecks,
): Promise<void> {
  await retryOnConflict('entity', async () => {
    const present = await readObject(database, viewer, id);
    const next = {
      ...present,
      name: name ?? present.name,
      attributes: mergeAttributes(present.attributes, supplied),
      ownerId: ownerId === undefined ? present.ownerId : ownerId,
    };
    await requireChange(database, viewer.workspaceId, next, { attributes: supplied, ownerId }, checks);
    const changes =
      next.name !== present.name ||
      next.ownerId !== present.ownerId ||
      !isEqualJson(next.attributes, present.attributes);
    if (!changes) return true;
    return (await writeObject(database, viewer.workspaceId, next, authorOf(viewer))) || undefined;
  });
}
