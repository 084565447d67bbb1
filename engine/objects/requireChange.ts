import type { JsonObject } from '../../domain/json.ts';
import type { ObjectChecks } from '../../domain/object/compiledRules.ts';
import type { Database } from '../../prisma/client.ts';
import type { StoredObject } from '../../prisma/store/object/readObject.ts';
import { requireFit } from './fitType.ts';
import { requireReferences } from './requireReferences.ts';

export interface Supplied {
  attributes: JsonObject;
  ownerId?: string | null | undefined;
}

/** Throws a Problem unless the changed entity fits its type. Supplied references must exist; old ones need not. */
export async function requireChange(
  database: Database,
  workspaceId: string,
  next: Pick<StoredObject, 'type' | 'attributes' | 'state'>,
  { attributes, ownerId = null }: Supplied,
  checks: ObjectChecks,
): Promise<void> {
  const fits = await requireFit(next.type, next, checks);
  const isNew = ({ attribute }: { attribute: string }) => Object.hasOwn(attributes, attribute);
  await requireReferences(database, workspaceId, fits, ownerId, checks.check, isNew);
}
