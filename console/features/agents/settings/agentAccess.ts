import { queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { pagesOf } from '../../../app/api/pages.ts';
import { client } from '../../../app/session/session.ts';

export type Grant = Answer<'listGrants'>[number];
export type Memory = Answer<'listMemories'>[number];

export const grantPages = (agentId: string) => pagesOf('listGrants', { path: { agentId } });
export const memoryPages = (agentId: string) => pagesOf('listMemories', { path: { agentId } });

const MAX_NAMES = 1_000;

export interface Subject {
  type: 'user' | 'apiKey';
  id: string;
  name: string;
}

/** People and API keys of the workspace, for whoever may see them. */
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
