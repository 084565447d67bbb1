import { queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { etagOf } from '../../../app/api/ifMatch.ts';
import { withLeftOut } from '../../../app/api/leftOut.ts';
import { pagesOf } from '../../../app/api/pages.ts';
import { client } from '../../../app/session/session.ts';
import { agentKey } from '../queries.ts';
import { type AgentWhole, NAMED, SAME } from './agentDraft.ts';

const EXPANSION = [
  ...SAME,
  ...Object.values(NAMED),
  'selectedModelId',
  'project',
  'managedByCode',
  'selfInstructionVersions',
];

/** Values that a large answer replaces by links. */
const LARGE = ['instructions', 'tools', 'mcpServers', 'enabledToolPolicies', 'suggestedPrompts'] as const;

export function agentSettings(agentId: string) {
  return queryOptions({
    queryKey: [...agentKey(agentId), 'settings'],
    queryFn: async ({ signal }) => {
      const read = async (expansion: string) =>
        client.send('getAgent', { path: { agentId }, query: { expansion }, signal });
      const answer = await read(EXPANSION.join(','));
      const readOne = async (name: string) => (await (await read(name)).json()) as AgentWhole;
      const agent = await withLeftOut((await answer.json()) as AgentWhole, LARGE, readOne);
      return { agent, etag: etagOf(answer) };
    },
  });
}

/** An upsert would change the agent with this slug. */
export async function isSlugTaken(projectId: string, slug: string): Promise<boolean> {
  return (await client.listAgents({ query: { filterBy: `projectId:${projectId},slug:${slug}` } })).length > 0;
}

export type Grant = Answer<'listGrants'>[number];
export type Memory = Answer<'listMemories'>[number];

export const GRANT_LIST = ['listGrants'];
export const MEMORY_LIST = ['listMemories'];

export const grantPages = (agentId: string) => pagesOf('listGrants', { path: { agentId } });
export const memoryPages = (agentId: string) => pagesOf('listMemories', { path: { agentId } });

const MAX_NAMES = 1_000;

export interface Subject {
  type: 'user' | 'apiKey';
  id: string;
  name: string;
}

export function subjects() {
  return queryOptions({
    queryKey: ['listWorkspaceUsers', 'subjects'],
    queryFn: async ({ signal }): Promise<Subject[]> => {
      const [people, keys] = await Promise.all([
        client.listWorkspaceUsers({ query: { limit: MAX_NAMES }, signal }),
        client.listApiKeys({ query: { limit: MAX_NAMES }, signal }),
      ]);
      return [
        ...people.map(({ id, name, email }) => ({ type: 'user' as const, id, name: name || email })),
        ...keys.map(({ id, name }) => ({ type: 'apiKey' as const, id, name })),
      ];
    },
    staleTime: 60_000,
  });
}
