import { refuse } from '../../domain/object/checkObject.ts';
import type { ObjectReference } from '../../domain/object/compiledRules.ts';
import type { Database } from '../../prisma/client.ts';
import { findReferences } from '../../prisma/store/object/findReferences.ts';
import { isUuid } from '../../prisma/store/resource.ts';

/**
 * Throws VALIDATION_FAILED for references that name no existing entity of their type, and for an owner of another
 * workspace.
 */
export async function requireReferences(
  database: Database,
  workspaceId: string,
  references: readonly ObjectReference[],
  ownerId: string | null,
): Promise<void> {
  const named = references.filter(({ id }) => isUuid(id));
  const found = await findReferences(database, workspaceId, named, ownerId === null ? [] : [ownerId]);
  const errors = references
    .filter(({ slug, id }) => !found.objects.has(`${slug} ${id.toLowerCase()}`))
    .map(({ path, slug }) => ({ path, message: `expected the id of an entity of the type ${JSON.stringify(slug)}` }));
  if (ownerId !== null && !found.users.has(ownerId.toLowerCase())) {
    errors.push({ path: 'ownerId', message: 'expected the id of a user of the workspace' });
  }
  if (errors.length > 0) refuse('VALIDATION_FAILED', errors);
}
