import { type Catalogue, findAction, findTrigger } from '../app/manifest.ts';
import { pathTo } from '../place.ts';
import type { ProblemDetail } from '../problem.ts';
import type { Definition, Node, TriggerNode } from '../workflow/definition.ts';
import { checkExpressions } from '../workflow/expressionProblems.ts';
import { type Permission, ROLE_PERMISSIONS } from './permission.ts';

/**
 * A permission that a step, a trigger or a tool takes from the caller who runs or stores it, and the place that
 * takes it. Started later, a stored workflow acts for all who may start it: so it is asked for here, once, and not then.
 */
export interface Need extends ProblemDetail {
  permission: Permission;
}

/** What asks for it, e.g. `objects.find`. */
export function need(permission: Permission, path: string, what: string, nodeId?: string): Need {
  const message = `${what} needs the permission ${permission}`;
  return { permission, path, message, ...(nodeId === undefined ? {} : { nodeId }) };
}

/** All that a definition needs, at its places. */
export function needsOfDefinition({ trigger, nodes, output }: Definition, catalogue: Catalogue): Need[] {
  return [
    ...needsOfTrigger(trigger, catalogue),
    ...nodes.flatMap((node, index) => needsOfNode(node, pathTo('nodes', index), catalogue)),
    ...(output === undefined ? [] : needsOfExpressions(output, 'output')),
  ];
}

/** All that one node needs; `path` is the node's place. */
export function needsOfNode(node: Node, path: string, catalogue: Catalogue): Need[] {
  const { id, type, appId = '', actionId = '', connectionId, inputs = {} } = node;
  return [
    ...(type === 'action' ? needsOfAction({ appId, actionId, connectionId }, path, catalogue, id) : []),
    ...(type === 'runWorkflow' ? [need('executions:run', path, 'runWorkflow', id)] : []),
    ...needsOfExpressions(inputs, pathTo(path, 'inputs'), id),
  ];
}

interface UsedAction {
  appId: string;
  actionId: string;
  connectionId?: string | null | undefined;
}

/** An action that requires a connection and names none takes the workspace's: that is using one too. */
export function needsOfAction(
  { appId, actionId, connectionId }: UsedAction,
  path: string,
  catalogue: Catalogue,
  nodeId?: string,
): Need[] {
  const action = findAction(catalogue, appId, actionId);
  const isConnected = connectionId != null || action?.requiresConnection === true;
  return [
    ...(action?.permissions ?? []).map((each) => need(each, path, `${appId}.${actionId}`, nodeId)),
    ...(isConnected ? [useOfConnection(pathTo(path, 'connectionId'), nodeId)] : []),
  ];
}

export function useOfConnection(path: string, nodeId?: string): Need {
  return need('connections:use', path, 'a connection', nodeId);
}

function needsOfTrigger({ type, config }: TriggerNode, catalogue: Catalogue): Need[] {
  const path = 'trigger.config';
  if (type === 'queue') return [need('queues:write', pathTo(path, 'queueId'), 'taking the items of a queue')];
  if (type !== 'poll') return [];
  const { appId, triggerId, connectionId } = config;
  const { permissions = [] } = findTrigger(catalogue, appId, triggerId) ?? {};
  return [
    ...permissions.map((each) => need(each, path, `${appId}.${triggerId}`)),
    ...(connectionId === undefined ? [] : [useOfConnection(pathTo(path, 'connectionId'))]),
  ];
}

/** One for each text that reads variables. Broken expressions are reported elsewhere. */
function needsOfExpressions(value: Parameters<typeof checkExpressions>[0], path: string, nodeId?: string): Need[] {
  return checkExpressions(value, path, () => undefined)
    .filter(({ references }) => references.allVariables || references.variables.size > 0)
    .map((found) => need('variables:read', found.path, 'an expression that reads variables', nodeId));
}

/** Whether no step could need what these permissions lack. */
export function mayDoAnyStep({ permissions }: { permissions: ReadonlySet<Permission> }): boolean {
  return ROLE_PERMISSIONS.builder.every((permission) => permissions.has(permission));
}

/** Those that the permissions lack. */
export function missingNeeds(needs: readonly Need[], permissions: ReadonlySet<Permission>): Need[] {
  return needs.filter(({ permission }) => !permissions.has(permission));
}
