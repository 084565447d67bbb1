import { Problem } from '../../../domain/problem.ts';
import { type Expected, STALE, withRowTag } from '../../../prisma/store/rowTag.ts';
import { managedByCode } from '../../../prisma/store/workflow/resource.ts';
import { type DraftedWorkflow, deleteDraft } from '../../../prisma/store/workflowDraft/drafts.ts';
import type { Caller } from '../../access/caller.ts';
import type { Operation } from '../../operation.ts';
import type { Services } from '../../services.ts';
import { checkUpsert, refuseUpsert, type UpsertBody } from '../workflows/checkUpsert.ts';
import { storeWorkflow } from '../workflows/storeWorkflow.ts';
import { draftPlace, noDraft, requireWorkflow } from './shownDraft.ts';

const MAX_TRIES = 20;

export const publishWorkflowDraft: Operation<'publishWorkflowDraft'> = async ({ caller, params, ...request }) => {
  const { services, expected, resourceId } = request;
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const published = await publish(services, caller, params.workflowId, { versionId: resourceId, expected });
    if (published) return published;
  }
  throw new Error(`the workflow ${params.workflowId} was changed by others ${MAX_TRIES} times in a row`);
};

/**
 * Undefined if the workflow changed meanwhile: the draft is read and compared again, so that the later of two calls
 * never replaces a newer version. If the process dies in between, the draft remains, and publishing it again makes no
 * version.
 */
async function publish(
  services: Services,
  caller: Caller,
  workflowId: string,
  { versionId, expected }: { versionId: string; expected: Expected | undefined },
) {
  const workflow = await requireWorkflow(services, caller.workspaceId, workflowId);
  const { id, projectId, slug, draft } = workflow;
  // A repeated request: its first try published the draft.
  if (!draft && workflow.versionId === versionId) return answerOf(workflow);
  if (expected !== undefined && expected !== 'any' && !(draft && expected.includes(draft.tag))) {
    throw new Problem('PRECONDITION_FAILED', STALE);
  }
  if (!draft) throw noDraft();
  if (workflow.isManagedByCode) throw managedByCode();
  const body = draft.body as UpsertBody;
  const { definition, problems } = await checkUpsert(body, services, { ...draftPlace(caller, workflow), caller });
  if (!definition) return refuseUpsert(problems);
  try {
    const unchanged = { managedByCode: false, expected: [workflow.tag] };
    const stored = await storeWorkflow(services, caller, {
      ...{ id, versionId, projectId, slug, body, definition },
      ...unchanged,
    });
    await deleteDraft(services.database, caller.workspaceId, id, [draft.tag]);
    return { ...stored, created: false };
  } catch (error) {
    if (error instanceof Problem && error.code === 'PRECONDITION_FAILED') return undefined;
    throw error;
  }
}

function answerOf({ id, name, slug, version, isManagedByCode, isActive, tag }: DraftedWorkflow) {
  return withRowTag({ id, name, slug, version, created: false, managedByCode: isManagedByCode, isActive }, tag);
}
