import { needsOfNode } from '../../../domain/access/stepPermissions.ts';
import { chooseConnection, connectionRequired } from '../../../domain/app/chooseConnection.ts';
import { type ActionManifest, findAction } from '../../../domain/app/manifest.ts';
import type { NodeTestRequest } from '../../../domain/execution/nodeTest.ts';
import { pathTo } from '../../../domain/place.ts';
import { Problem, type ProblemDetail } from '../../../domain/problem.ts';
import type { Node, NodeType } from '../../../domain/workflow/definition.ts';
import { usableConnections } from '../../../prisma/store/connection/usableConnections.ts';
import type { TestedVersion, UnsavedDefinition } from '../../../prisma/store/nodeTest/nodeTests.ts';
import type { Caller } from '../../access/caller.ts';
import { requireNeeds } from '../../access/requireNeeds.ts';
import type { Services } from '../../services.ts';
import { connectionProblems } from './connectionProblems.ts';

export interface NodeToTest {
  of: TestedVersion | UnsavedDefinition;
  node: Node;
  label: string;
}

/** A node in its definition, which is a version's or in the body. */
export interface TestedNode {
  of: NodeToTest['of'];
  node: Node;
  /** The ids of all nodes. */
  known: ReadonlySet<string>;
  /** Errors of the node, with the inputs of the request. */
  problems: ProblemDetail[];
  /** The place of the node in the body; empty for a version's. */
  place: string;
}

/** Why a node of the type cannot be tested alone. */
const NOT_ALONE: Partial<Record<NodeType, string>> = {
  forEach: 'runs other nodes',
  repeat: 'runs other nodes',
  input: 'waits for a person',
  delay: 'waits',
  runWorkflow: 'starts another workflow',
};

function reasonOf({ type, connectionId }: Node, action: ActionManifest | undefined): string | undefined {
  if (action?.placement === 'child') return 'waits for an agent';
  // The token for the credentials belongs to a step of an execution.
  const isConnected = connectionId !== undefined || action?.requiresConnection;
  if (action?.placement === 'worker' && isConnected) return 'gets its connection only in an execution';
  return NOT_ALONE[type];
}

/** Throws FORBIDDEN, and the problems of an upsert or a run. */
export async function nodeToTest(
  services: Services,
  caller: Caller,
  { of, node, known, problems, place }: TestedNode,
  request: NodeTestRequest,
): Promise<NodeToTest> {
  const { database, catalogue } = services;
  const { workspaceId } = caller;
  const { appId = '', actionId = '', id: nodeId } = node;
  const action = findAction(catalogue, appId, actionId);
  const reason = reasonOf(node, action);
  if (reason !== undefined) {
    const got = node.type === 'action' ? `${appId}.${actionId}` : node.type;
    const message = `the node ${reason}: expected an action, condition, switch, respond or stop, got ${got}`;
    throw notTestable([{ path: 'nodeId', nodeId, message }]);
  }
  const { inputs = node.inputs ?? {} } = request;
  const isGiven = (path: string) => request.inputs !== undefined && /^inputs\b/.test(path);
  const placeOf = (path: string) => {
    if (path === '') return 'nodeId';
    return place === '' || isGiven(path) ? path : `${place}.${path}`;
  };
  requireNeeds(caller, needsOfNode({ ...node, inputs }, '', catalogue), placeOf);
  const connections = await connectionProblems(services, { workspaceId, author: caller }, [node], undefined);
  const connectionId = placeOf('connectionId');
  const all = [
    ...problems,
    ...stepProblems(known, request),
    ...connections.map((each) => ({ ...each, path: connectionId })),
  ];
  if (all.length > 0) throw notTestable(all);
  if (action?.requiresConnection && node.connectionId === undefined) {
    const candidates = await usableConnections(database, workspaceId, appId);
    // The worker chooses again by the same rule.
    if (!chooseConnection(candidates, { defaultCounts: true })) {
      const appName = catalogue.get(appId)?.name ?? appId;
      throw connectionRequired([{ path: connectionId, step: nodeId, appId, appName, candidates }]);
    }
  }
  return { of, node, label: node.name ?? action?.name ?? nodeId };
}

export function notTestable(errors: ProblemDetail[]): Problem {
  return new Problem('VALIDATION_FAILED', 'The node cannot be tested with these values', { errors });
}

function stepProblems(known: ReadonlySet<string>, { steps }: NodeTestRequest): ProblemDetail[] {
  return Object.keys(steps)
    .filter((id) => !known.has(id))
    .map((id) => ({ path: pathTo('steps', id), message: `the workflow has no node ${id}` }));
}
