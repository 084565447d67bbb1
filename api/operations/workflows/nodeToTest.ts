import { needsOfNode } from '../../../domain/access/stepPermissions.ts';
import { chooseConnection, connectionRequired } from '../../../domain/app/chooseConnection.ts';
import { findAction } from '../../../domain/app/manifest.ts';
import type { NodeTestRequest } from '../../../domain/execution/nodeTest.ts';
import { pathTo } from '../../../domain/place.ts';
import { isError, Problem, type ProblemDetail } from '../../../domain/problem.ts';
import type { Definition, Node, NodeType } from '../../../domain/workflow/definition.ts';
import { definitionLimits, validateDefinition } from '../../../domain/workflow/validate.ts';
import { usableConnections } from '../../../prisma/store/connection/usableConnections.ts';
import { notFound } from '../../../prisma/store/readResource.ts';
import { readVersionDefinition, readWorkflowHead } from '../../../prisma/store/workflow/findWorkflow.ts';
import { WORKFLOW } from '../../../prisma/store/workflow/resource.ts';
import type { Caller } from '../../access/caller.ts';
import { requireNeeds } from '../../access/requireNeeds.ts';
import type { Services } from '../../services.ts';
import { connectionProblems } from './connectionProblems.ts';

export interface NodeToTest {
  workflowId: string;
  versionId: string;
  node: Node;
  label: string;
}

/** Why a node of the type cannot be tested alone. */
const NOT_ALONE: Partial<Record<NodeType, string>> = {
  forEach: 'runs other nodes',
  repeat: 'runs other nodes',
  input: 'waits for a person',
  delay: 'waits',
  runWorkflow: 'starts another workflow',
};

/** Uses the newest version, even if inactive. Throws NOT_FOUND, NOT_PUBLISHED, FORBIDDEN, and the problems of an upsert or a run. */
export async function nodeToTest(
  services: Services,
  caller: Caller,
  { workflowId, nodeId }: { workflowId: string; nodeId: string },
  request: NodeTestRequest,
): Promise<NodeToTest> {
  const { database, catalogue } = services;
  const { workspaceId } = caller;
  const head = await readWorkflowHead(database, workspaceId, workflowId);
  const definition = head && (await readVersionDefinition(database, workspaceId, head.versionId));
  if (!head || !definition) throw notFound(WORKFLOW);
  const node = definition.nodes.find(({ id }) => id === nodeId);
  if (!node) throw new Problem('NOT_FOUND', `The workflow has no node ${nodeId}`);

  const { appId = '', actionId = '' } = node;
  const action = findAction(catalogue, appId, actionId);
  const reason = action?.placement === 'child' ? 'waits for an agent' : NOT_ALONE[node.type];
  if (reason !== undefined) {
    const got = node.type === 'action' ? `${appId}.${actionId}` : node.type;
    const message = `the node ${reason}: expected an action, condition, switch, respond or stop, got ${got}`;
    throw notTestable([{ path: 'nodeId', nodeId, message }]);
  }
  const { inputs = node.inputs ?? {} } = request;
  requireNeeds(caller, needsOfNode({ ...node, inputs }, '', catalogue), (path) => (path === '' ? 'nodeId' : path));
  const connections = await connectionProblems(services, { workspaceId, author: caller }, [node], undefined);
  const problems = [
    ...inputProblems(services, definition, node, request),
    ...stepProblems(definition, request),
    ...connections.map((each) => ({ ...each, path: 'connectionId' })),
  ];
  if (problems.length > 0) throw notTestable(problems);
  if (action?.requiresConnection && node.connectionId === undefined) {
    const candidates = await usableConnections(database, workspaceId, appId);
    // The worker chooses again by the same rule.
    if (!chooseConnection(candidates, { defaultCounts: true })) {
      const appName = catalogue.get(appId)?.name ?? appId;
      throw connectionRequired([{ path: 'connectionId', step: nodeId, appId, appName, candidates }]);
    }
  }
  return { workflowId: head.id, versionId: head.versionId, node, label: node.name ?? action?.name ?? nodeId };
}

function notTestable(errors: ProblemDetail[]): Problem {
  return new Problem('VALIDATION_FAILED', 'The node cannot be tested with these values', { errors });
}

function inputProblems(
  { catalogue, config }: Services,
  definition: Definition,
  node: Node,
  { inputs }: NodeTestRequest,
): ProblemDetail[] {
  if (inputs === undefined) return [];
  const limits = definitionLimits(config);
  const nodes = definition.nodes.map((each) => (each === node ? { ...node, inputs } : each));
  const place = `${pathTo(
    'nodes',
    nodes.findIndex(({ id }) => id === node.id),
  )}.`;
  return validateDefinition({ ...definition, nodes }, { catalogue, limits })
    .problems.filter((each) => isError(each) && (each.path === '' || each.path.startsWith(place)))
    .map((each) => ({ ...each, path: each.path === '' ? 'inputs' : each.path.slice(place.length) }));
}

function stepProblems({ nodes }: Definition, { steps }: NodeTestRequest): ProblemDetail[] {
  const known = new Set(nodes.map(({ id }) => id));
  return Object.keys(steps)
    .filter((id) => !known.has(id))
    .map((id) => ({ path: pathTo('steps', id), message: `the workflow has no node ${id}` }));
}
