import { v7 } from 'uuid';
import type { Definition } from '../../../domain/workflow/definition.ts';
import { definitionRow } from '../../../domain/workflow/definitionRow.ts';
import { PROJECT } from '../../../prisma/store/project/resource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { type Expected, withRowTag } from '../../../prisma/store/rowTag.ts';
import { upsertWorkflow } from '../../../prisma/store/workflow/upsertWorkflow.ts';
import { type Caller, credentialOf } from '../../access/caller.ts';
import type { Services } from '../../services.ts';
import type { UpsertBody } from './checkUpsert.ts';

export interface WorkflowToStore {
  /** The id that a new workflow gets. */
  id: string;
  /** Id of the version that it may make. */
  versionId?: string;
  projectId: string;
  slug: string;
  body: UpsertBody;
  definition: Definition;
  managedByCode: boolean;
  expected: Expected | undefined;
}

/** Stores a checked upsert, with its effects. Throws NOT_FOUND for the project, and PRECONDITION_FAILED. */
export async function storeWorkflow(services: Services, caller: Caller, workflow: WorkflowToStore) {
  const { id, versionId = v7(), projectId, slug, body, definition, managedByCode, expected } = workflow;
  const { name, description, isActive, timeoutMs, onFailureWorkflowId, maxConcurrent } = body;
  const { exposeAsTool, isInternal, orientation } = body;
  const stored = await upsertWorkflow(services.database, caller.workspaceId, {
    workflowId: id,
    versionId,
    projectId,
    slug,
    name,
    description,
    isActive,
    timeoutMs,
    onFailureWorkflowId,
    maxConcurrent,
    exposeAsTool,
    isInternal,
    orientation,
    managedByCode,
    ...definitionRow(definition, services.catalogue),
    by: credentialOf(caller),
    expected,
  });
  if (!stored) throw notFound(PROJECT);
  const { tag, ...shown } = stored;
  if (maxConcurrent !== undefined) services.releaser.releaseBehind(caller.workspaceId, shown.id);
  await services.schedules.sync(caller.workspaceId, shown.id);
  return withRowTag({ ...shown, created: shown.id === id }, tag);
}
