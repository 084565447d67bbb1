import type { JsonObject } from '../../domain/json.ts';
import { withoutNulls } from '../../domain/object/attributes.ts';
import type { Author } from '../../domain/object/author.ts';
import { firstState } from '../../domain/object/checkObject.ts';
import type { ObjectChecks } from '../../domain/object/compiledRules.ts';
import { compiledType } from '../../domain/object/compiledTypes.ts';
import { Problem } from '../../domain/problem.ts';
import type { Database } from '../../prisma/client.ts';
import { insertObject } from '../../prisma/store/object/insertObject.ts';
import { type ObjectTypeName, readObjectType } from '../../prisma/store/objectType/readObjectType.ts';
import { OBJECT_TYPE } from '../../prisma/store/objectType/resource.ts';
import { notFound } from '../../prisma/store/readResource.ts';
import { requireFit } from './fitType.ts';
import { requireReferences } from './requireReferences.ts';
import { retryOnConflict } from './retryOnConflict.ts';

export interface ObjectToCreate {
  id: string;
  type: ObjectTypeName;
  name: string;
  attributes: JsonObject;
  /** Absent: the initial state. */
  state?: string | undefined;
  ownerId?: string | null | undefined;
  by: Author;
}

/** Creates an entity; a retry with the same id creates nothing. Throws a Problem for invalid values. */
export async function createObject(
  database: Database,
  workspaceId: string,
  object: ObjectToCreate,
  checks: ObjectChecks,
): Promise<void> {
  try {
    await create(database, workspaceId, object, checks);
  } catch (error) {
    // An earlier attempt may have created it, and then its type was disabled or a referenced entity deleted.
    const isThere =
      error instanceof Problem && (await database.object.count({ where: { id: object.id, workspaceId } })) > 0;
    if (!isThere) throw error;
  }
}

async function create(
  database: Database,
  workspaceId: string,
  { id, type: named, name, attributes: given, state: asked, ownerId = null, by }: ObjectToCreate,
  checks: ObjectChecks,
): Promise<void> {
  await retryOnConflict('entity type', async () => {
    const type = await readObjectType(database, workspaceId, named);
    if (!type) throw notFound(OBJECT_TYPE);
    if (!type.isEnabled) throw new Problem('CONFLICT', `The entity type ${JSON.stringify(type.slug)} is disabled`);
    const attributes = withoutNulls(given);
    const state = firstState(compiledType(type.id, type.version, type.rules), asked);
    const fits = await requireFit(type, { attributes, state }, checks);
    await requireReferences(database, workspaceId, fits, ownerId, checks.check);
    const object = { id, name, state, attributes, ownerId };
    return (await insertObject(database, workspaceId, type, object, by)) || undefined;
  });
}
