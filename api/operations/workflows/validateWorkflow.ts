import { isUuid } from '../../../domain/isUuid.ts';
import { isError, Problem, type ProblemDetail } from '../../../domain/problem.ts';
import { inSteps } from '../../../domain/workflow/linear.ts';
import { PROJECT } from '../../../prisma/store/project/resource.ts';
import { readResource } from '../../../prisma/store/readResource.ts';
import type { Caller } from '../../access/caller.ts';
import type { Operation } from '../../operation.ts';
import { bodyProblems } from '../../pipeline/bodyProblems.ts';
import type { Services } from '../../services.ts';
import { checkDefinition } from './checkDefinition.ts';
import { circleProblems } from './circleProblems.ts';
import { failureWorkflowProblems } from './failureWorkflowProblems.ts';
import { restoreTriggerSecrets } from './restoreTriggerSecrets.ts';
import { withCode } from './withCode.ts';

/** Reports cycles of workflows, which an upsert accepts and a start refuses: workflows are stored one by one. */
export const validateWorkflow: Operation<'validateWorkflow'> = async ({ body, caller, services }) => {
  const { projectId, ...upsert } = body;
  const { workspaceId } = caller;
  const project = await projectProblems(services, caller, projectId);
  const slug = typeof upsert.slug === 'string' ? upsert.slug : '';
  // Without a project the stored workflow is unknown.
  const { trigger, problems } =
    typeof projectId === 'string' && project.length === 0
      ? await restoreTriggerSecrets(upsert.trigger, services, { workspaceId, projectId, slug })
      : { trigger: upsert.trigger, problems: [] };
  const place = { workspaceId, projectId: typeof projectId === 'string' ? projectId : undefined, slug };
  const own = place.projectId !== undefined && project.length === 0 ? { projectId: place.projectId } : {};
  const definition = await checkDefinition({ ...upsert, trigger }, services, { caller, ...own });
  const misnamed = await failureWorkflowProblems(services, place, upsert.onFailureWorkflowId);
  const circles = definition.definition
    ? await circleProblems(services, workspaceId, {
        slug,
        name: typeof upsert.name === 'string' ? upsert.name : slug,
        projectId: typeof projectId === 'string' && project.length === 0 ? projectId : undefined,
        definition: definition.definition,
      })
    : [];
  const found = [
    ...project,
    ...problems,
    ...definition.problems,
    ...misnamed,
    ...(upsert.steps === undefined ? circles : inSteps(circles)),
  ];
  // If a place has two problems, that of the definition is more precise.
  const places = new Set(found.map(({ path }) => path));
  const shape = (await shapeProblems(upsert)).filter(({ path }) => !places.has(path));
  const all = [...shape, ...found];
  return { valid: !all.some(isError), problems: all.map(withCode) };
};

async function projectProblems(services: Services, caller: Caller, projectId: unknown): Promise<ProblemDetail[]> {
  if (projectId === undefined) return [];
  const none = [{ path: 'projectId', message: `there is no project ${projectId}` }];
  if (typeof projectId !== 'string' || !isUuid(projectId)) return none;
  try {
    await readResource(services.database, caller, PROJECT, projectId);
    return [];
  } catch (error) {
    if (error instanceof Problem && error.code === 'NOT_FOUND') return none;
    throw error;
  }
}

function shapeProblems(body: object): Promise<ProblemDetail[]> {
  return bodyProblems('upsertWorkflow', `/api/projects/${NIL}/workflows/upsert`, body);
}

const NIL = '00000000-0000-0000-0000-000000000000';
