import { v7 } from 'uuid';
import { need } from '../../../domain/access/stepPermissions.ts';
import { placed } from '../../../domain/place.ts';
import { isError, Problem, type ProblemDetail } from '../../../domain/problem.ts';
import { definitionRow } from '../../../domain/workflow/definitionRow.ts';
import { PROJECT } from '../../../prisma/store/project/resource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { withRowTag } from '../../../prisma/store/rowTag.ts';
import { upsertWorkflow as store } from '../../../prisma/store/workflow/upsertWorkflow.ts';
import { credentialOf } from '../../access/caller.ts';
import { requireNeeds } from '../../access/requireNeeds.ts';
import type { Operation } from '../../operation.ts';
import { checkDefinition } from './checkDefinition.ts';
import { failureWorkflowProblems } from './failureWorkflowProblems.ts';
import { restoreTriggerSecrets } from './restoreTriggerSecrets.ts';
import { withCode } from './withCode.ts';

/** An equal definition makes no version, but needs the same permissions: the answer must not reveal what is stored. */
export const upsertWorkflow: Operation<'upsertWorkflow'> = async ({ body, caller, params, ...request }) => {
  const { projectId } = params;
  const { resourceId, services, expected } = request;
  const place = { workspaceId: caller.workspaceId, projectId, slug: body.slug };
  const { trigger, problems: masked } = await restoreTriggerSecrets(body.trigger, services, place);
  if (masked.length > 0) return refuse(masked);
  const by = { workspaceId: caller.workspaceId, projectId, author: caller };
  const { definition, problems } = await checkDefinition({ ...body, trigger }, services, by);
  if (!definition) return refuse(problems);
  if (body.onFailureWorkflowId != null) {
    requireNeeds(caller, [need('executions:run', 'onFailureWorkflowId', 'starting another workflow')]);
  }
  const misnamed = await failureWorkflowProblems(services, place, body.onFailureWorkflowId);
  if (misnamed.length > 0) return refuse(misnamed);
  const {
    slug,
    name,
    description,
    isActive,
    timeoutMs,
    maxConcurrent,
    isInternal,
    orientation,
    managedByCode = true,
  } = body;
  const stored = await store(services.database, caller.workspaceId, {
    workflowId: resourceId,
    versionId: v7(),
    projectId,
    slug,
    name,
    description,
    isActive,
    timeoutMs,
    onFailureWorkflowId: body.onFailureWorkflowId,
    maxConcurrent,
    isInternal,
    orientation,
    managedByCode,
    ...definitionRow(definition, services.catalogue),
    by: credentialOf(caller),
    expected,
  });
  if (!stored) throw notFound(PROJECT);
  const { tag, ...workflow } = stored;
  if (maxConcurrent !== undefined) services.releaser.releaseBehind(caller.workspaceId, workflow.id);
  await services.schedules.sync(caller.workspaceId, workflow.id);
  return withRowTag({ ...workflow, created: workflow.id === resourceId }, tag);
};

function refuse(problems: ProblemDetail[]): never {
  const errors = problems.filter(isError).map(withCode);
  const detail = errors.length === 1 ? errors.map(placed).join('') : `The definition has ${errors.length} problems`;
  throw new Problem('VALIDATION_FAILED', detail, { errors });
}
