import { BUNDLE_KINDS, type BundleResource, KIND_PERMISSIONS } from '../../../domain/bundle/bundle.ts';
import { exported } from '../../../domain/bundle/forms.ts';
import { Problem } from '../../../domain/problem.ts';
import { EventLoopYield } from '../../../engine/fairness/eventLoopYield.ts';
import { readLastApply } from '../../../prisma/store/bundle/writeBundle.ts';
import type { Caller } from '../../access/caller.ts';
import type { Operation } from '../../operation.ts';
import type { Services } from '../../services.ts';
import { isOfOther } from './planOf.ts';
import { readProjectState } from './projectState.ts';

/** Exports without ids and secrets. Requires all read permissions, because a part would look complete. */
export const exportProject: Operation<'exportProject'> = async ({ caller, params, query, services }) => {
  const state = await readProjectState(services, services.database, caller, params.projectId);
  const missing = BUNDLE_KINDS.map((kind) => KIND_PERMISSIONS[kind].read).filter(
    (each) => !caller.permissions.has(each),
  );
  if (missing.length > 0) {
    throw new Problem('FORBIDDEN', `Exporting a whole project also requires ${missing.join(', ')}`);
  }
  const eventLoop = new EventLoopYield();
  const resources: BundleResource[] = [];
  const owner =
    query.others === false ? (query.owner ?? (await slugOf(services, caller, params.projectId))) : undefined;
  const wanted = state.resources.filter(
    (each) => !each.isUnpublished && (owner === undefined || !isOfOther(each, owner)),
  );
  for (const each of wanted) {
    resources.push(exported(each, state.names, services.catalogue));
    await eventLoop.takeIfDue();
  }
  return { resources };
};

async function slugOf({ database }: Services, { workspaceId }: Caller, projectId: string): Promise<string | undefined> {
  return (await readLastApply(database, workspaceId, projectId))?.slug;
}
