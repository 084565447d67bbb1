import { v7 } from 'uuid';
import { isEqualJson } from '../../../domain/isEqualJson.ts';
import { checkExisting } from '../../../engine/objects/checkExisting.ts';
import { readStoredType } from '../../../prisma/store/objectType/storedType.ts';
import { dropRules, publishRules, renewChange } from '../../../prisma/store/objectType/writeType.ts';
import type { Caller } from '../../access/caller.ts';
import type { Services } from '../../services.ts';
import { rulesOf } from './checkOthers.ts';
import type { WantedResource } from './checkResources.ts';
import { planChanged } from './planChanged.ts';

export type AnnouncedRules = ReadonlyMap<string, string>;

/**
 * Announces changed rules of types, as their upsert does (engine/objects/upsertObjectType.ts): from then on writes must
 * satisfy both, so that the check of existing entities stays valid. Unused ones expire. Throws PLAN_CHANGED.
 */
export async function announceRules(
  { database, evaluation }: Services,
  { workspaceId }: Caller,
  changing: readonly WantedResource[],
): Promise<AnnouncedRules> {
  const announced = new Map<string, string>();
  try {
    for (const { kind, id, slug, fields, stored } of changing) {
      if (kind !== 'objectType' || !stored || isEqualJson(rulesOf(stored.fields), rulesOf(fields))) continue;
      const rules = rulesOf(fields);
      const type = await readStoredType(database, workspaceId, stored.movedFrom ?? slug);
      const changeId = v7();
      if (type?.id !== id || type.isChanging || !(await publishRules(database, type, changeId, rules)))
        throw planChanged();
      announced.set(id, changeId);
      const check = evaluation.attributesCheck(workspaceId);
      const { count } = await checkExisting(database, workspaceId, type, { rules, check }, async () => {
        if (!(await renewChange(database, id, changeId))) throw planChanged();
      });
      if (count > 0) throw planChanged();
    }
    return announced;
  } catch (error) {
    await dropAnnounced(database, announced);
    throw error;
  }
}

export async function dropAnnounced(database: Services['database'], announced: AnnouncedRules): Promise<void> {
  for (const [id, changeId] of announced) await dropRules(database, id, changeId);
}
