import type { ProblemDetail } from '../../../domain/problem.ts';
import { isUuid } from '../../../prisma/store/resource.ts';
import { readWorkflowPlace } from '../../../prisma/store/workflow/findWorkflow.ts';
import type { Services } from '../../services.ts';

const PATH = 'onFailureWorkflowId';

/**
 * Checks that `id` can be the error workflow: another workflow of the workspace. The contract reports invalid ids.
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
