import { refuse } from '../../domain/object/checkObject.ts';
import type { ObjectReference } from '../../domain/object/compiledRules.ts';
import { placed } from '../../domain/place.ts';
import type { Database } from '../../prisma/client.ts';
import { findReferences } from '../../prisma/store/object/findReferences.ts';
import { isUuid } from '../../prisma/store/resource.ts';
import { unfit } from './fitType.ts';

/**
 * Throws VALIDATION_FAILED for references that name no existing entity of their type, and for an owner of another
 * workspace; CONFLICT where only announced rules make them references.
 */
export async function requireReferences(
  database: Database,
  workspaceId: string,
  references: readonly ObjectReference[],
  ownerId: string | null,
): Promise<void> {
  const named = references.filter(({ id }) => isUuid(id));
  const found = await findReferences(database, workspaceId, named, ownerId === null ? [] : [ownerId]);
  const lost = references.filter(({ slug, id }) => !found.objects.has(`${slug} ${id.toLowerCase()}`));
  const told = ({ path, slug }: ObjectReference) => ({
    path,
    message: `expected the id of an entity of the type ${JSON.stringify(slug)}`,
  });
  const errors = lost.filter(({ isAnnounced }) => !isAnnounced).map(told);
  if (ownerId !== null && !found.users.has(ownerId.toLowerCase())) {
    errors.push({ path: 'ownerId', message: 'expected the id of a user of the workspace' });
  }
  if (errors.length > 0) refuse('VALIDATION_FAILED', errors);
  if (lost.length > 0) throw unfit(lost.map(told).map(placed).join('; '));
}
