import type { Json } from '../../../domain/json.ts';
import { Problem, type ProblemDetail } from '../../../domain/problem.ts';
import { maskTrigger } from '../../../domain/workflow/maskTrigger.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { withRowTag } from '../../../prisma/store/rowTag.ts';
import { WORKFLOW } from '../../../prisma/store/workflow/resource.ts';
import { type DraftedWorkflow, readDraft, type WorkflowDraft } from '../../../prisma/store/workflowDraft/drafts.ts';
import type { Caller } from '../../access/caller.ts';
import type { Services } from '../../services.ts';
import { withCode } from '../workflows/withCode.ts';

export async function requireWorkflow(
  { database }: Pick<Services, 'database'>,
  workspaceId: string,
  workflowId: string,
): Promise<DraftedWorkflow> {
  const workflow = await readDraft(database, workspaceId, workflowId);
  if (!workflow) throw notFound(WORKFLOW);
  return workflow;
}

export const noDraft = () => new Problem('NOT_FOUND', 'The workflow has no draft');

/** The place of a draft's secrets: a mask means the draft's own secret before the published one. */
export function draftPlace({ workspaceId }: Caller, { projectId, slug }: Pick<DraftedWorkflow, 'projectId' | 'slug'>) {
  return { workspaceId, projectId, slug, first: 'draft' } as const;
}

/** The answer of each operation on a draft. */
export function shownDraft(
  { id, slug, name }: DraftedWorkflow,
  { body, tag, ...draft }: WorkflowDraft,
  problems: readonly ProblemDetail[],
) {
  const trigger = body.trigger === undefined ? {} : { trigger: maskTrigger(body.trigger as Json) };
  return withRowTag({ id, slug, name, ...body, ...trigger, ...draft, problems: problems.map(withCode) }, tag);
}
