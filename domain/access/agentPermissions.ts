import type { GivenSettings } from '../agent/definition.ts';
import { discoverable } from '../agent/discovery.ts';
import { isPlatform, type PlatformTool } from '../agent/toolNames.ts';
import type { Catalogue } from '../app/manifest.ts';
import { pathTo } from '../place.ts';
import { ASKS_AGENT, type Permission } from './permission.ts';
import { type Need, need, needsOfAction, useOfConnection } from './stepPermissions.ts';

type NeededById = readonly [what: string, ...permissions: Permission[]];

/** Settings that list ids. Listing an id gives the access to every user of the agent. */
const BY_ID = {
  knowledgeIds: ['searching a knowledge base', 'knowledge:read'],
  workflowIds: ['starting a workflow', 'executions:run'],
  subAgentIds: ['asking another agent', ...ASKS_AGENT],
  objectIds: ['reading an entity', 'objects:read'],
  objectTypeIds: ['reading entities', 'objects:read'],
  variableIds: ['reading a variable', 'variables:read'],
  connectionIds: ['a connection', 'connections:use'],
} as const satisfies Partial<Record<keyof GivenSettings, NeededById>>;

const BY_PLATFORM_TOOL: Readonly<Record<PlatformTool, Permission>> = {
  list_workflows: 'workflows:read',
  list_executions: 'executions:read',
  read_execution: 'executions:read',
  list_queues: 'queues:read',
};

/** Returns the permissions that an agent needs: its users reach everything that its tools reach. */
export function needsOfAgent(settings: GivenSettings, catalogue: Catalogue): Need[] {
  const { aiConnectionId, tools = [], mcpServers = [], enabledPlatformTools = [] } = settings;
  const byId = Object.entries(BY_ID) as [keyof typeof BY_ID, NeededById][];
  return [
    ...(aiConnectionId == null ? [] : [useOfConnection('aiConnectionId')]),
    ...byId.flatMap(([list, [what, ...permissions]]) =>
      (settings[list] ?? []).flatMap((_, index) => permissions.map((each) => need(each, pathTo(list, index), what))),
    ),
    ...tools.flatMap((tool, index) => needsOfAction(tool, pathTo('tools', index), catalogue)),
    ...mcpServers.flatMap(({ connectionId }, index) =>
      connectionId == null ? [] : [useOfConnection(pathTo(pathTo('mcpServers', index), 'connectionId'))],
    ),
    ...enabledPlatformTools.flatMap((name, index) =>
      isPlatform(name) ? [need(BY_PLATFORM_TOOL[name], pathTo('enabledPlatformTools', index), name)] : [],
    ),
    ...needsOfDiscovery(settings, catalogue),
  ];
}

/** Returns the permissions for the actions that the agent can discover. Their connections are in `connectionIds`. */
function needsOfDiscovery({ dynamicActionDiscoveryEnabled }: GivenSettings, catalogue: Catalogue): Need[] {
  if (!dynamicActionDiscoveryEnabled) return [];
  const found = new Set(discoverable(catalogue).flatMap(({ action }) => action.permissions));
  return [...found].map((each) => need(each, 'dynamicActionDiscoveryEnabled', 'an action that the agent may find'));
}
