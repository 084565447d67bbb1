import { queryOptions } from '@tanstack/react-query';
import { client } from '../session/session.ts';
import type { Permission } from './me.ts';

const MAX_NAMES = 1_000;

/** The lists of named resources that settings choose from, with the permission that each needs. */
export const CHOICES = {
  listConnections: 'connections:read',
  listWorkflows: 'workflows:read',
  listAgents: 'agents:read',
  listKnowledge: 'knowledge:read',
  listObjectTypes: 'objects:read',
  listVariables: 'variables:read',
  listProjects: 'projects:read',
} as const satisfies Record<string, Permission>;

export type ChoiceList = keyof typeof CHOICES;

export function choices(list: ChoiceList, filterBy?: string) {
  return queryOptions({
    queryKey: [list, 'choices', filterBy ?? ''],
    queryFn: ({ signal }): Promise<{ id: string; name: string }[]> =>
      client[list]({ query: { limit: MAX_NAMES, ...(filterBy === undefined ? {} : { filterBy }) }, signal }),
  });
}

export const providerConnections = () => choices('listConnections', 'workflowAppId:openai');

export function catalogue() {
  return queryOptions({
    queryKey: ['listWorkflowApps'],
    queryFn: ({ signal }) => client.listWorkflowApps({ query: { limit: MAX_NAMES }, signal }),
    staleTime: 60_000,
  });
}

export function features() {
  return queryOptions({
    queryKey: ['getEnabledFeatures'],
    queryFn: ({ signal }) => client.getEnabledFeatures({ signal }),
    staleTime: 60_000,
  });
}
