import { queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { pagesOf } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';

/** The fields that a grant alone allows a person to read. */
const SHARED = ['description', 'profileImageUrl', 'suggestedPrompts'];

const CARD = [...SHARED, 'slug', 'managedByCode', 'selectedModelId', 'toolIds', 'workflows', 'subAgents', 'project'];

export type AgentCard = Answer<'listAgents'>[number];

export const agentPages = (mayRead: boolean) =>
  pagesOf('listAgents', { query: { expansion: (mayRead ? CARD : SHARED).join(',') } });

export const AGENT_LIST = ['listAgents'];
export const agentKey = (agentId: string): string[] => ['getAgent', agentId];

export function agent(agentId: string, mayRead: boolean) {
  const expansion = (mayRead ? CARD : SHARED).join(',');
  return queryOptions({
    queryKey: [...agentKey(agentId), expansion],
    queryFn: ({ signal }) => client.getAgent({ path: { agentId }, query: { expansion }, signal }),
  });
}
