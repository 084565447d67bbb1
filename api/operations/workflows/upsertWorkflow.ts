import { createHash } from 'node:crypto';
import { v7 } from 'uuid';
import type { Json } from '../../../domain/json.ts';
import { Problem, type ProblemDetail } from '../../../domain/problem.ts';
import { canonicalJson } from '../../../domain/workflow/canonical.ts';
import type { Definition } from '../../../domain/workflow/definition.ts';
import { inSteps, linearDefinition } from '../../../domain/workflow/linear.ts';
import { holdsMask, unmaskTrigger } from '../../../domain/workflow/maskTrigger.ts';
import { validateDefinition } from '../../../domain/workflow/validate.ts';
import { PROJECT } from '../../../prisma/store/project/resource.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { isUuid } from '../../../prisma/store/resource.ts';
import { readTriggerBySlug } from '../../../prisma/store/workflow/readTriggerBySlug.ts';
import { upsertWorkflow as store } from '../../../prisma/store/workflow/upsertWorkflow.ts';
import type { Operation, OperationRequest } from '../../operation.ts';
import type { Services } from '../../services.ts';
import { requireConnections } from './requireConnections.ts';

type Body = OperationRequest<'upsertWorkflow'>['body'];

/** Creates or changes the workflow of a slug; an equal definition makes no version. */
export const upsertWorkflow: Operation<'upsertWorkflow'> = async ({ body, caller, params, resourceId, services }) => {
  const { projectId } = params;
  if (!isUuid(projectId)) throw notFound(PROJECT);
  const trigger = await triggerOf(body, caller.workspaceId, projectId, services);
  const definition = definitionOf({ ...body, trigger }, services);
  const placeOf = (path: string) => (body.steps === undefined ? path : path.replace(/^nodes/, 'steps'));
  await requireConnections(services, caller.workspaceId, definition, placeOf);
  const { slug, name, description, isActive, timeoutMs, isInternal, orientation, managedByCode = true } = body;
  const workflow = await store(services.database, caller.workspaceId, {
    workflowId: resourceId,
    versionId: v7(),
    projectId,
    slug,
    name,
    description,
    isActive,
    timeoutMs,
    isInternal,
    orientation,
    managedByCode,
    definition,
    hash: createHash('sha256')
      .update(canonicalJson(definition as unknown as Json))
      .digest(),
  });
  if (!workflow) throw notFound(PROJECT);
  await services.schedules.sync(caller.workspaceId, workflow.id);
  return { ...workflow, created: workflow.id === resourceId };
};

/** A trigger that is sent back as it was shown keeps the secrets that its workflow has. */
async function triggerOf(
  { trigger, slug }: Body,
  workspaceId: string,
  projectId: string,
  { database }: Services,
): Promise<Body['trigger']> {
  if (!holdsMask(trigger as Json | undefined)) return trigger;
  const stored = await readTriggerBySlug(database, workspaceId, projectId, slug);
  const whole = unmaskTrigger(trigger as Json | undefined, stored);
  if (!holdsMask(whole)) return whole as Body['trigger'];
  const message = 'is the mask of a secret, and none is stored: send the secret itself';
  return refuse([{ path: 'trigger.config', message }]);
}

function definitionOf(body: Body, services: Services): Definition {
  const { catalogue, config } = services;
  const limits = { maxBytes: config.MAX_DEFINITION_BYTES, maxNodes: config.MAX_DEFINITION_NODES };
  const { candidate, problems } = candidateOf(body);
  if (!candidate) return refuse(problems);
  const validation = validateDefinition(candidate, { catalogue, limits });
  if (validation.definition) return validation.definition;
  return refuse(body.steps === undefined ? validation.problems : inSteps(validation.problems));
}

type Candidate = { candidate: object; problems: [] } | { candidate?: undefined; problems: ProblemDetail[] };

/** Steps as a graph, or the graph as it came. */
function candidateOf({ steps, trigger, nodes, edges, output }: Body): Candidate {
  if (steps === undefined) {
    if (nodes !== undefined) return { candidate: { trigger, nodes, edges: edges ?? [], output }, problems: [] };
    return { problems: [{ path: 'steps', message: 'expected steps, or nodes and edges' }] };
  }
  const others = Object.entries({ nodes, edges, output }).filter(([, value]) => value !== undefined);
  if (others.length === 0) return linearDefinition(steps, trigger);
  return { problems: others.map(([path]) => ({ path, message: 'cannot stand beside steps' })) };
}

function refuse(errors: ProblemDetail[]): never {
  const detail =
    errors.length === 1 ? `${errors[0]?.path}: ${errors[0]?.message}` : `The definition has ${errors.length} problems`;
  throw new Problem('VALIDATION_FAILED', detail, { errors });
}
