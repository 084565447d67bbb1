import type { GivenSettings } from '../../../domain/agent/definition.ts';
import { pathTo } from '../../../domain/place.ts';
import type { ProblemDetail } from '../../../domain/problem.ts';
import { type KnownIds, type NamedKind, namedByAgent } from '../../../prisma/store/agent/namedByAgent.ts';
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

/** By these triggers a workflow takes a start by hand. */
const STARTED_BY_HAND: ReadonlySet<string> = new Set(['manual', 'schedule']);

interface UsedConnection {
  path: string;
  id: string;
  appId: string;
}

/** Ids that the workspace lacks, connections of another app, and workflows that no agent could start. */
export async function namedProblems(
  { database }: Services,
  workspaceId: string,
  own: { projectId: string; slug: string },
  given: GivenSettings,
): Promise<ProblemDetail[]> {
  const used = connectionsOf(given);
  const ids = Object.fromEntries(KINDS.map((kind) => [kind, given[kind] ?? []])) as Record<NamedKind, string[]>;
  const connectionIds = [...ids.connectionIds, ...used.map(({ id }) => id)];
  const known = await namedByAgent(database, workspaceId, { ...ids, connectionIds }, own);
  return [
    ...KINDS.flatMap((kind) => ids[kind].flatMap((id, index) => problemOf(known, kind, id, pathTo(kind, index)))),
    ...used.flatMap(({ path, id, appId }) => {
      const app = known.get(`connectionIds ${id.toLowerCase()}`);
      if (app === appId) return [];
      const message =
        app === undefined ? `there is no connection ${id}` : `the connection is of ${app}, expected one of ${appId}`;
      return [{ path, message }];
    }),
  ];
}

function problemOf(known: KnownIds, kind: NamedKind, id: string, path: string): ProblemDetail[] {
  const what = known.get(`${kind} ${id.toLowerCase()}`);
  if (what === undefined) return [{ path, message: `there is no ${NOUNS[kind]} ${id}` }];
  if (kind !== 'workflowIds' || STARTED_BY_HAND.has(what)) return [];
  return [{ path, message: `expected a workflow with a manual or scheduled trigger: it is started by ${what}` }];
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
