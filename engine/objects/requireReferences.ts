import { refuse } from '../../domain/object/checkObject.ts';
import type { AttributesCheck, ObjectReference } from '../../domain/object/compiledRules.ts';
import { lostReferences } from '../../domain/object/lostReferences.ts';
import { placed } from '../../domain/place.ts';
import type { Database } from '../../prisma/client.ts';
import { findReferences } from '../../prisma/store/object/findReferences.ts';
import { type Fit, unfit } from './fitType.ts';

/**
 * Throws VALIDATION_FAILED for missing entities or a foreign owner, CONFLICT if only announced rules make them
 * references. `isNew`: the other references need not exist.
 */
export async function requireReferences(
  database: Database,
  workspaceId: string,
  fits: readonly Fit[],
  ownerId: string | null,
  check: AttributesCheck,
  isNew: (reference: ObjectReference) => boolean = () => true,
): Promise<void> {
  const ids = fits.flatMap(({ references }) => references.filter(isNew).map(({ id }) => id));
  const found = await findReferences(database, workspaceId, ids, ownerId === null ? [] : [ownerId]);
  const exists = (each: ObjectReference) => !isNew(each) || found.hasObject(each);
  const lostOf = async (some: readonly Fit[]) => {
    const lost: ObjectReference[] = [];
    for (const { rules, attributes, references } of some) {
      lost.push(...(await lostReferences(check, rules, attributes, references, exists)));
    }
    return lost.map(({ path, slug }) => ({
      path,
      message: `expected the id of an entity of the type ${JSON.stringify(slug)}`,
    }));
  };
  const errors = await lostOf(fits.filter(({ isAnnounced }) => !isAnnounced));
  if (ownerId !== null && !found.hasMember(ownerId)) {
    errors.push({ path: 'ownerId', message: 'expected the id of a user of the workspace' });
  }
  if (errors.length > 0) refuse('VALIDATION_FAILED', errors);
  const announced = await lostOf(fits.filter(({ isAnnounced }) => isAnnounced));
  if (announced.length > 0) throw unfit(announced.map(placed).join('; '));
}
