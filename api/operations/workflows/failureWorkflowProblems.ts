import type { ProblemDetail } from '../../../domain/problem.ts';
import { isUuid } from '../../../prisma/store/resource.ts';
import { readWorkflowPlace } from '../../../prisma/store/workflow/findWorkflow.ts';
import type { Services } from '../../services.ts';

const PATH = 'onFailureWorkflowId';

/**
 * Whether `id` can be the error workflow of the workflow at that place: another one of the workspace. What is no id at all
 * the contract tells.
 */
export async function failureWorkflowProblems(
  { database }: Services,
  place: { workspaceId: string; projectId: string | undefined; slug: string },
  id: unknown,
): Promise<ProblemDetail[]> {
  if (typeof id !== 'string' || !isUuid(id)) return [];
  const named = await readWorkflowPlace(database, place.workspaceId, id);
  if (!named) return [{ path: PATH, message: `there is no workflow ${id}` }];
  const isItself = named.projectId === place.projectId?.toLowerCase() && named.slug === place.slug;
  return isItself ? [{ path: PATH, message: 'expected a workflow other than this one' }] : [];
}
