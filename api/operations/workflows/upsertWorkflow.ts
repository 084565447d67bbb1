import type { Operation } from '../../operation.ts';
import { checkUpsert, refuseUpsert } from './checkUpsert.ts';
import { storeWorkflow } from './storeWorkflow.ts';

/** An equal definition makes no version, but needs the same permissions: the answer must not reveal what is stored. */
export const upsertWorkflow: Operation<'upsertWorkflow'> = async ({ body, caller, params, ...request }) => {
  const { resourceId, services, expected } = request;
  const { slug, managedByCode = true } = body;
  const place = { workspaceId: caller.workspaceId, projectId: params.projectId, slug };
  const { definition, problems } = await checkUpsert(body, services, { ...place, caller });
  if (!definition) return refuseUpsert(problems);
  const { projectId } = place;
  return storeWorkflow(services, caller, {
    id: resourceId,
    projectId,
    slug,
    body,
    definition,
    managedByCode,
    expected,
  });
};
