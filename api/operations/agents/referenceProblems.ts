import type { GivenSettings } from '../../../domain/agent/definition.ts';
import { type NamedTool, toolNameClashes } from '../../../domain/agent/toolNameClashes.ts';
import {
  actionToolName,
  agentToolNames,
  BUILT_IN_TOOLS,
  FIND_ENTITIES,
  KNOWLEDGE_TOOL,
  mcpToolPrefix,
  PLATFORM_TOOLS,
  READ_ENTITY,
  READ_VARIABLES,
  toolsOfSettings,
  workflowToolNames,
} from '../../../domain/agent/toolNames.ts';
import type { Catalogue } from '../../../domain/app/manifest.ts';
import { pathTo } from '../../../domain/place.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import { type KnownIds, type NamedKind, namedByAgent } from '../../../prisma/store/agent/agentReferences.ts';
import { agentsCalling } from '../../../prisma/store/agent/agentsCalling.ts';
import type { Caller } from '../../access/caller.ts';
import type { Services } from '../../services.ts';

const NOUNS: Record<NamedKind, string> = {
  connectionIds: 'connection',
  workflowIds: 'workflow',
  subAgentIds: 'other agent',
  knowledgeIds: 'knowledge base',
  objectIds: 'entity',
  objectTypeIds: 'entity type',
  variableIds: 'variable',
};
const KINDS = Object.keys(NOUNS) as NamedKind[];

/** Workflows with these triggers can be started manually. */
const STARTED_BY_HAND: ReadonlySet<string> = new Set(['manual', 'schedule']);

interface UsedConnection {
  path: string;
  id: string;
  appId: string;
}

/** Reports missing ids, connections of another app, workflows that no agent can start, and unknown tools. */
export async function referenceProblems(
  { database, catalogue }: Services,
  caller: Caller,
  own: { projectId: string; slug: string },
  given: GivenSettings,
): Promise<ProblemDetail[]> {
  const used = connectionsOf(given);
  const ids = Object.fromEntries(KINDS.map((kind) => [kind, given[kind] ?? []])) as Record<NamedKind, string[]>;
  const connectionIds = [...ids.connectionIds, ...used.map(({ id }) => id)];
  const [known, cyclic] = await Promise.all([
    namedByAgent(database, caller, { ...ids, connectionIds }, own),
    agentsCalling(database, caller.workspaceId, ids.subAgentIds, own),
  ]);
  return problemsOfNamed(given, { known, cyclic, catalogue });
}

/** Does the same with known ids; `cyclic` has sub-agents that lead back to the agent. */
export function problemsOfNamed(
  given: GivenSettings,
  { known, cyclic, catalogue }: { known: KnownIds; cyclic: ReadonlySet<string>; catalogue: Catalogue },
): ProblemDetail[] {
  const used = connectionsOf(given);
  const ids = Object.fromEntries(KINDS.map((kind) => [kind, given[kind] ?? []])) as Record<NamedKind, string[]>;
  return [
    ...KINDS.flatMap((kind) => ids[kind].flatMap((id, index) => problemOf(known, kind, id, pathTo(kind, index)))),
    ...ids.connectionIds.flatMap((id, index) => secondOfApp(known, ids.connectionIds.slice(0, index), id, index)),
    ...ids.subAgentIds.flatMap((id, index) => {
      const message =
        'this agent calls the other one, directly or through sub-agents: expected an agent that does not lead back to this one';
      return known.has(`subAgentIds ${id.toLowerCase()}`) && cyclic.has(id.toLowerCase())
        ? [{ path: pathTo('subAgentIds', index), message }]
        : [];
    }),
    ...used.flatMap(({ path, id, appId }) => wrongApp(known, id, appId, path)),
    ...sameNames(given),
    ...unknownTools(given, 'enabledBuiltInTools', BUILT_IN_TOOLS),
    ...unknownTools(given, 'enabledPlatformTools', PLATFORM_TOOLS),
    ...toolNameProblems(given, known, catalogue),
  ];
}

function problemOf(known: KnownIds, kind: NamedKind, id: string, path: string): ProblemDetail[] {
  const found = known.get(`${kind} ${id.toLowerCase()}`);
  if (!found) return [{ path, message: `there is no ${NOUNS[kind]} ${id}` }];
  if (kind !== 'workflowIds' || STARTED_BY_HAND.has(found.what ?? '')) return [];
  return [{ path, message: `expected a workflow with a manual or schedule trigger, got ${found.what}` }];
}

function appOf(known: KnownIds, id: string): string | undefined {
  return known.get(`connectionIds ${id.toLowerCase()}`)?.what ?? undefined;
}

function wrongApp(known: KnownIds, id: string, expected: string, path: string): ProblemDetail[] {
  const app = appOf(known, id);
  if (app === expected) return [];
  const message =
    app === undefined
      ? `there is no connection ${id}`
      : `the connection belongs to ${app}, expected one of ${expected}`;
  return [{ path, message }];
}

/** With two connections of an app, the tool must name its connection. */
function secondOfApp(known: KnownIds, before: readonly string[], id: string, index: number): ProblemDetail[] {
  const app = appOf(known, id);
  const isSecond = before.some((other) => other.toLowerCase() !== id.toLowerCase() && appOf(known, other) === app);
  if (app === undefined || !isSecond) return [];
  return [
    {
      path: pathTo('connectionIds', index),
      message: `another connection of ${app} is listed already: name this one in the tools that use it`,
    },
  ];
}

function namesOfThings(given: GivenSettings): string[] {
  const { objectIds = [], objectTypeIds = [], variableIds = [] } = given;
  return [
    ...(objectTypeIds.length > 0 ? [FIND_ENTITIES] : []),
    ...(objectTypeIds.length > 0 || objectIds.length > 0 ? [READ_ENTITY] : []),
    ...(variableIds.length > 0 ? [READ_VARIABLES] : []),
    ...(given.enabledBuiltInTools ?? []),
    ...(given.enabledPlatformTools ?? []),
  ];
}

function unknownTools(
  given: GivenSettings,
  setting: 'enabledBuiltInTools' | 'enabledPlatformTools',
  known: readonly string[],
): ProblemDetail[] {
  return (given[setting] ?? []).flatMap((name, index) => {
    const message = `there is no tool ${JSON.stringify(name)}: expected one of ${known.join(', ')}`;
    return known.includes(name) ? [] : [{ path: pathTo(setting, index), message }];
  });
}

/** Their tools would have equal names. */
function sameNames({ mcpServers = [] }: GivenSettings): ProblemDetail[] {
  const named = new Set<string>();
  return mcpServers.flatMap(({ name }, index) => {
    if (!named.has(name)) {
      named.add(name);
      return [];
    }
    const path = pathTo(pathTo('mcpServers', index), 'name');
    return [{ path, message: `another MCP server is named ${JSON.stringify(name)}: expected unique names` }];
  });
}

function toolNameProblems(given: GivenSettings, known: KnownIds, catalogue: Catalogue): ProblemDetail[] {
  const { tools = [], knowledgeIds = [], mcpServers = [], forcedTools = [], enabledToolPolicies = {} } = given;
  const slugged = (kind: 'workflowIds' | 'subAgentIds', namesOf: typeof agentToolNames): NamedTool[] => {
    const found = (given[kind] ?? []).flatMap((id, index) => {
      const slug = known.get(`${kind} ${id.toLowerCase()}`)?.slug;
      return slug == null ? [] : [{ id: id.toLowerCase(), slug, path: pathTo(kind, index) }];
    });
    const names = namesOf(found);
    return [...new Map(found.map((each) => [each.id, each])).values()].map(({ id, slug, path }) => {
      return { name: names.get(id) ?? '', path, what: `the ${NOUNS[kind]} ${slug}` };
    });
  };
  const ofSettings = [
    ...(knowledgeIds.length > 0 ? [KNOWLEDGE_TOOL] : []),
    ...toolsOfSettings(given),
    ...namesOfThings(given),
  ];
  const named: NamedTool[] = [
    ...[...new Set(ofSettings)].map((name) => ({ name, path: '', what: 'another setting' })),
    ...namedActions(tools),
    ...slugged('workflowIds', workflowToolNames),
    ...slugged('subAgentIds', agentToolNames),
  ];
  const names = new Set(named.map(({ name }) => name));
  const withFound = new Set([...names, ...discoverableNames(given, catalogue)]);
  const servers = mcpServers.map(({ name }, index) => ({ name, path: pathTo(pathTo('mcpServers', index), 'name') }));
  const wrong = (path: string, name: string, names: ReadonlySet<string>) => {
    // The tools of an MCP server are known only when a turn begins.
    const prefixes = mcpServers.map((server) => mcpToolPrefix(server.name));
    if (names.has(name) || prefixes.some((prefix) => name.startsWith(prefix))) return [];
    const known = [...names, ...prefixes.map((prefix) => `${prefix}…`)];
    const expected = known.length === 0 ? 'the agent has no tools' : `expected one of ${known.join(', ')}`;
    return [{ path, message: `there is no tool ${JSON.stringify(name)}: ${expected}` }];
  };
  return [
    ...toolNameClashes(named, servers),
    ...forcedTools.flatMap((name, index) => wrong(pathTo('forcedTools', index), name, names)),
    ...Object.keys(enabledToolPolicies).flatMap((name) => wrong(pathTo('enabledToolPolicies', name), name, withFound)),
  ];
}

/** Policies may name the tools of actions that the agent can discover. */
function discoverableNames({ dynamicActionDiscoveryEnabled }: GivenSettings, catalogue: Catalogue): string[] {
  if (!dynamicActionDiscoveryEnabled) return [];
  return [...catalogue.values()].flatMap(({ appId, actions }) =>
    actions.map(({ actionId }) => actionToolName({ appId, actionId })),
  );
}

function namedActions(tools: NonNullable<GivenSettings['tools']>): NamedTool[] {
  const all = tools.map((tool, index): [string, NamedTool] => {
    const what = `${tool.appId}.${tool.actionId}`;
    return [what, { name: actionToolName(tool), path: pathTo('tools', index), what }];
  });
  return [...new Map(all.reverse()).values()].reverse();
}

function connectionsOf({ aiConnectionId, tools = [], mcpServers = [] }: GivenSettings): UsedConnection[] {
  const used = (path: string, appId: string, id: string | null | undefined) =>
    id === null || id === undefined ? [] : [{ path, appId, id }];
  return [
    ...used('aiConnectionId', 'openai', aiConnectionId),
    ...tools.flatMap(({ appId, connectionId }, index) =>
      used(pathTo(pathTo('tools', index), 'connectionId'), appId, connectionId),
    ),
    ...mcpServers.flatMap(({ connectionId }, index) =>
      used(pathTo(pathTo('mcpServers', index), 'connectionId'), 'http', connectionId),
    ),
  ];
}
