import type { JsonObject } from '../../../domain/json.ts';
import { Problem, type ProblemDetail } from '../../../domain/problem.ts';
import { PROJECT } from '../../../prisma/store/project/resource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { STALE } from '../../../prisma/store/rowTag.ts';
import { managedByCode } from '../../../prisma/store/workflow/resource.ts';
import {
  createDraft,
  type DraftedWorkflow,
  deleteDraft,
  saveDraft,
} from '../../../prisma/store/workflowDraft/drafts.ts';
import { type Caller, credentialOf } from '../../access/caller.ts';
import type { Operation } from '../../operation.ts';
import type { Services } from '../../services.ts';
import { checkUpsert, type UpsertBody } from '../workflows/checkUpsert.ts';
import { draftPlace, noDraft, requireWorkflow, shownDraft } from './shownDraft.ts';

export const getWorkflowDraft: Operation<'getWorkflowDraft'> = async ({ caller, params, services }) => {
  const workflow = await requireWorkflow(services, caller.workspaceId, params.workflowId);
  const { draft } = workflow;
  if (!draft) throw noDraft();
  const { problems } = await checkUpsert(draft.body as UpsertBody, services, {
    ...draftPlace(caller, workflow),
    ...{ caller, isStored: false },
  });
  return shownDraft(workflow, draft, problems);
};

export const saveWorkflowDraft: Operation<'saveWorkflowDraft'> = async ({ caller, params, body = {}, ...request }) => {
  const { services, expected } = request;
  const { workflowId } = params;
  const workflow = await requireWorkflow(services, caller.workspaceId, workflowId);
  if (workflow.isManagedByCode) throw managedByCode();
  if (body.slug !== undefined && body.slug !== workflow.slug) {
    throw refusedMember('slug', `a draft does not change the slug: expected ${workflow.slug}`);
  }
  const checked = await checkedDraft(services, caller, workflow, body);
  const by = credentialOf(caller);
  const change = { body: checked.body, by, expected };
  const draft = await saveDraft(services.database, caller.workspaceId, workflowId, change);
  if (draft) return shownDraft(workflow, draft, checked.problems);
  const now = await requireWorkflow(services, caller.workspaceId, workflowId);
  throw now.isManagedByCode ? managedByCode() : new Problem('PRECONDITION_FAILED', STALE);
};

export const deleteWorkflowDraft: Operation<'deleteWorkflowDraft'> = async ({ caller, params, services, expected }) => {
  const workflow = await requireWorkflow(services, caller.workspaceId, params.workflowId);
  if (await deleteDraft(services.database, caller.workspaceId, workflow.id, expected)) {
    return { id: workflow.id, deleted: true };
  }
  throw workflow.draft && expected !== undefined ? new Problem('PRECONDITION_FAILED', STALE) : noDraft();
};

export const createWorkflowDraft: Operation<'createWorkflowDraft'> = async ({ caller, params, body, ...request }) => {
  const { resourceId, services } = request;
  const { projectId } = params;
  const { slug, name } = body;
  const checked = await checkedDraft(services, caller, { projectId, slug: slug ?? '' }, body);
  const draft = { workflowId: resourceId, projectId, slug, name, body: checked.body, by: credentialOf(caller) };
  if (!(await createDraft(services.database, caller.workspaceId, draft))) throw notFound(PROJECT);
  const workflow = await requireWorkflow(services, caller.workspaceId, resourceId);
  if (!workflow.draft) throw noDraft();
  return shownDraft(workflow, workflow.draft, checked.problems);
};

/** Returns the body to store: a whole definition, with the secrets of its trigger. */
async function checkedDraft(
  services: Services,
  caller: Caller,
  workflow: Pick<DraftedWorkflow, 'projectId' | 'slug'>,
  { slug: _slug, managedByCode, ...given }: UpsertBody & { slug?: string; managedByCode?: boolean },
): Promise<{ body: JsonObject; problems: ProblemDetail[] }> {
  if (managedByCode) throw refusedMember('managedByCode', 'a draft is not managed by code: expected false');
  const graph = given.steps === undefined ? { trigger: MANUAL, nodes: [], edges: [] } : {};
  const body = { ...graph, ...given };
  const { trigger, problems } = await checkUpsert(body, services, { ...draftPlace(caller, workflow), caller });
  return { body: { ...body, ...(trigger === undefined ? {} : { trigger }) } as JsonObject, problems };
}

const MANUAL = { id: 'trigger', type: 'manual', config: {} };

function refusedMember(path: string, message: string): Problem {
  return new Problem('VALIDATION_FAILED', `${path}: ${message}`, { errors: [{ path, message }] });
}
