import { pathTo } from '../../../domain/place.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import { namedWorkflows } from '../../../domain/workflow/namedWorkflows.ts';
import { workflowCircle } from '../../../engine/executions/workflowCircle.ts';
import { findNamedWorkflows } from '../../../prisma/store/workflow/findNamedWorkflows.ts';
import type { Services } from '../../services.ts';

/** The definition to store under the slug; without a project it counts as a separate workflow. */
export interface CircleCandidate {
  slug: string;
  name: string;
  projectId: string | undefined;
  definition: Definition;
}

/** Reports a cycle of workflows that start each other and that the definition would close or reach, at the node. */
export async function circleProblems(
  { database, definitions }: Services,
  workspaceId: string,
  { slug, name, projectId, definition: { nodes } }: CircleCandidate,
): Promise<ProblemDetail[]> {
  const calls = namedWorkflows(nodes);
  if (calls.length === 0) return [];
  const stored =
    projectId === undefined
      ? undefined
      : (await findNamedWorkflows(database, workspaceId, [{ by: 'slug', name: slug, projectId }]))[0];
  const workflowId = stored?.projectId === projectId ? stored?.id : undefined;
  const start = { name, projectId, slug, workflowId, calls };
  const circle = await workflowCircle(database, definitions, workspaceId, start);
  if (!circle) return [];
  const { nodeId, path } = circle;
  const inputs = pathTo(
    pathTo(
      'nodes',
      nodes.findIndex(({ id }) => id === nodeId),
    ),
    'inputs',
  );
  const by = calls.find((call) => call.nodeId === nodeId)?.by;
  return [
    {
      path: by === undefined ? inputs : pathTo(inputs, by),
      nodeId,
      message: `workflows start each other: ${path}`,
    },
  ];
}
