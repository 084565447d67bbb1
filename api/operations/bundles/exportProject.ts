import { BUNDLE_KINDS, type BundleResource, KIND_PERMISSIONS } from '../../../domain/bundle/bundle.ts';
import { exported } from '../../../domain/bundle/forms.ts';
import { Problem } from '../../../domain/problem.ts';
import { EventLoopYield } from '../../../engine/fairness/eventLoopYield.ts';
import type { Operation } from '../../operation.ts';
import { readProjectState } from './projectState.ts';

/** The project as a bundle: sorted, without ids and secrets. Whoever may not read all of it gets nothing: a part would look like the whole. */
export const exportProject: Operation<'exportProject'> = async ({ caller, params, services }) => {
  const state = await readProjectState(services, services.database, caller, params.projectId);
  const missing = BUNDLE_KINDS.map((kind) => KIND_PERMISSIONS[kind].read).filter(
    (each) => !caller.permissions.has(each),
  );
  if (missing.length > 0) {
    throw new Problem('FORBIDDEN', `A whole project is exported with ${missing.join(', ')} too`);
  }
  const eventLoop = new EventLoopYield();
  const resources: BundleResource[] = [];
  for (const each of state.resources) {
    resources.push(exported(each, state.names, services.catalogue));
    await eventLoop.takeIfDue();
  }
  return { resources };
};
