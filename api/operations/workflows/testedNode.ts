import type { NodeTestRequest } from '../../../domain/execution/nodeTest.ts';
import { isJsonObject, type JsonObject } from '../../../domain/json.ts';
import { inPath, pathTo } from '../../../domain/place.ts';
import { isError, Problem, type ProblemDetail } from '../../../domain/problem.ts';
import { stepPlace } from '../../../domain/workflow/linear.ts';
import { definitionLimits, validateDefinition } from '../../../domain/workflow/validate.ts';
import { compileAhead } from '../../../engine/evaluation/compileAhead.ts';
import { PROJECT } from '../../../prisma/store/project/resource.ts';
import { notFound, readResource } from '../../../prisma/store/readResource.ts';
import { readVersionDefinition, readWorkflowHead } from '../../../prisma/store/workflow/findWorkflow.ts';
import { WORKFLOW } from '../../../prisma/store/workflow/resource.ts';
import type { Caller } from '../../access/caller.ts';
import type { Services } from '../../services.ts';
import { notTestable, type TestedNode } from './nodeToTest.ts';
import { candidateOf, type DefinitionBody } from './readDefinition.ts';

/** Uses the newest version, even if inactive. Throws NOT_FOUND and NOT_PUBLISHED. */
export async function nodeOfVersion(
  { database, catalogue, config }: Services,
  { workspaceId }: Caller,
  { workflowId, nodeId }: { workflowId: string; nodeId: string },
  { inputs }: NodeTestRequest,
): Promise<TestedNode> {
  const head = await readWorkflowHead(database, workspaceId, workflowId);
  const definition = head && (await readVersionDefinition(database, workspaceId, head.versionId));
  if (!head || !definition) throw notFound(WORKFLOW);
  const { nodes } = definition;
  const at = nodes.findIndex(({ id }) => id === nodeId);
  const node = nodes[at];
  if (!node) throw new Problem('NOT_FOUND', `The workflow has no node ${nodeId}`);
  const candidate = { ...definition, nodes: withInputs(nodes, at, inputs) };
  const limits = definitionLimits(config);
  const found = inputs === undefined ? [] : validateDefinition(candidate, { catalogue, limits }).problems;
  const problems = errorsAt(found, at).map((each) => ({ ...each, path: each.path === '' ? 'inputs' : each.path }));
  const known = new Set(nodes.map(({ id }) => id));
  return { of: { workflowId: head.id, versionId: head.versionId }, node, known, problems, place: '' };
}

/** Other nodes may have errors. Throws VALIDATION_FAILED for the definition, and NOT_FOUND for the project. */
export async function nodeOfBody(
  { database, catalogue, config }: Services,
  caller: Caller,
  body: { definition: DefinitionBody; nodeId: string; projectId?: string | undefined },
  { inputs }: NodeTestRequest,
): Promise<TestedNode> {
  const { definition, nodeId, projectId } = body;
  if (projectId !== undefined) await readResource(database, caller, PROJECT, projectId);
  const { candidate, problems } = candidateOf(definition);
  if (!candidate) throw notTestable(problems.map((each) => ({ ...each, path: inPath('definition', each.path) })));
  const given: unknown[] = Array.isArray(candidate.nodes) ? candidate.nodes : [];
  const at = given.findIndex((each) => isJsonObject(each) && each.id === nodeId);
  const whole = {
    ...candidate,
    nodes: Array.isArray(candidate.nodes) ? withInputs(given, at, inputs) : candidate.nodes,
  };
  await compileAhead(whole);
  const { readable, problems: found } = validateDefinition(whole, { catalogue, limits: definitionLimits(config) });
  const place = inPath('definition', definition.steps === undefined ? placeOf(at) : stepPlace(placeOf(at)));
  const errors = [
    ...found.filter((each) => isError(each) && /^trigger\b/.test(each.path)).map(inDefinition),
    ...errorsAt(found, at).map((each) => {
      if (each.path === '') return inDefinition(each);
      const isGiven = inputs !== undefined && /^inputs\b/.test(each.path);
      return isGiven ? each : { ...each, path: inPath(place, each.path) };
    }),
  ];
  const node = readable?.nodes.find(({ id }) => id === nodeId);
  if (!readable || !node || at < 0) {
    const absent = { path: 'nodeId', message: `the definition has no node ${nodeId}` };
    throw notTestable(errors.length > 0 ? errors : [absent]);
  }
  const nodes = [node, ...readable.nodes.filter(({ id, type }) => type === 'input' && id !== nodeId)];
  const known = new Set(readable.nodes.map(({ id }) => id));
  // The rest of the definition may have errors. Questions tell which of the given values are secret.
  const of = { definition: { trigger: readable.trigger, nodes, edges: [] }, projectId };
  return { of, node, known, problems: errors, place };
}

function inDefinition(problem: ProblemDetail): ProblemDetail {
  return { ...problem, path: inPath('definition', problem.path) };
}

function placeOf(index: number): string {
  return pathTo('nodes', index);
}

function withInputs<T>(nodes: readonly T[], at: number, inputs: JsonObject | undefined): T[] {
  return nodes.map((node, index) => (index === at && inputs !== undefined ? { ...node, inputs } : node));
}

/** Errors of the whole definition, and those of the node, with paths inside of it. */
function errorsAt(problems: readonly ProblemDetail[], index: number): ProblemDetail[] {
  const place = `${placeOf(index)}.`;
  return problems
    .filter((each) => isError(each) && (each.path === '' || each.path.startsWith(place)))
    .map((each) => ({ ...each, path: each.path.slice(each.path === '' ? 0 : place.length) }));
}
