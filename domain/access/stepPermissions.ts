import { type Catalogue, findAction, findTrigger } from '../app/manifest.ts';
import { pathTo } from '../place.ts';
import type { ProblemDetail } from '../problem.ts';
import type { Definition, Node, TriggerNode } from '../workflow/definition.ts';
import { checkExpressions } from '../workflow/expressionProblems.ts';
import { type Permission, ROLE_PERMISSIONS } from './permission.ts';

/** Checked when a step, trigger or tool is stored: from then on the workflow acts for everyone who may start it. */
export interface Need extends ProblemDetail {
  permission: Permission;
}

export function need(permission: Permission, path: string, what: string, nodeId?: string): Need {
  const message = `${what} needs the permission ${permission}`;
  return { permission, path, message, ...(nodeId === undefined ? {} : { nodeId }) };
}

export function needsOfDefinition({ trigger, nodes, output }: Definition, catalogue: Catalogue): Need[] {
  return [
    ...needsOfTrigger(trigger, catalogue),
    ...nodes.flatMap((node, index) => needsOfNode(node, pathTo('nodes', index), catalogue)),
    ...(output === undefined ? [] : needsOfExpressions(output, 'output')),
  ];
}

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

/** An action that requires a connection and names none uses the workspace's, which needs the permission too. */
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
  if (type !== 'poll' && type !== 'webhook') return [];
  const { appId = '', triggerId = '' } = config;
  const connectionId = type === 'poll' ? config.connectionId : undefined;
  const { permissions = [] } = findTrigger(catalogue, appId, triggerId) ?? {};
  return [
    ...permissions.map((each) => need(each, path, `${appId}.${triggerId}`)),
    ...(connectionId === undefined ? [] : [useOfConnection(pathTo(path, 'connectionId'))]),
  ];
}

/** Returns one need for each text that reads variables. Broken expressions are reported elsewhere. */
function needsOfExpressions(value: Parameters<typeof checkExpressions>[0], path: string, nodeId?: string): Need[] {
  return checkExpressions(value, path, () => undefined)
    .filter(({ references }) => references.allVariables || references.variables.size > 0)
    .map((found) => need('variables:read', found.path, 'an expression that reads variables', nodeId));
}

export function mayDoAnyStep({ permissions }: { permissions: ReadonlySet<Permission> }): boolean {
  return ROLE_PERMISSIONS.builder.every((permission) => permissions.has(permission));
}

export function missingNeeds(needs: readonly Need[], permissions: ReadonlySet<Permission>): Need[] {
  return needs.filter(({ permission }) => !permissions.has(permission));
}
