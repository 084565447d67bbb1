import { isUuid } from '../../../domain/isUuid.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import { readWorkflowPlace } from '../../../prisma/store/workflow/findWorkflow.ts';
import type { Services } from '../../services.ts';

const PATH = 'onFailureWorkflowId';

/** The contract reports invalid ids. */
export async function failureWorkflowProblems(
  { database }: Services,
  own: { workspaceId: string } & ({ id: string } | { projectId: string | undefined; slug: string }),
  id: unknown,
): Promise<ProblemDetail[]> {
  if (typeof id !== 'string' || !isUuid(id)) return [];
  const named = await readWorkflowPlace(database, own.workspaceId, id);
  if (!named) return [{ path: PATH, message: `there is no workflow ${id}` }];
  const isItself =
    'id' in own
      ? own.id.toLowerCase() === id.toLowerCase()
      : named.projectId === own.projectId?.toLowerCase() && named.slug === own.slug;
  return isItself ? [{ path: PATH, message: 'expected a workflow other than this one' }] : [];
}
