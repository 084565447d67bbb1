import { insertProject } from '../../../prisma/store/project/insertProject.ts';
import { PROJECT } from '../../../prisma/store/project/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import { checkReadQuery } from '../../../prisma/store/resourceQuery.ts';
import { userIdOf } from '../../access/caller.ts';
import type { Operation } from '../../operation.ts';
import { checkDefaultErrorWorkflow } from './checkDefaultErrorWorkflow.ts';

export const createProject: Operation<'createProject'> = async (request) => {
  const { caller, query, body, resourceId, services } = request;
  const { database } = services;
  const { name, slug, description, onFailureWorkflowId } = body;
  // Before the write, so that a refused request leaves nothing behind.
  checkReadQuery(PROJECT, query);
  await checkDefaultErrorWorkflow(request);
  await insertProject(database, caller.workspaceId, {
    id: resourceId,
    name,
    slug,
    description: description ?? null,
    onFailureWorkflowId: onFailureWorkflowId ?? null,
    createdByUserId: userIdOf(caller),
  });
  return readResource(database, caller, PROJECT, resourceId, { query });
};
