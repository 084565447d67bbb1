import { queryOptions } from '@tanstack/react-query';
import { client } from '../session.ts';

const MOST_NAMES = 1_000;

/** Names for a list to choose from. */
export function workflowNames() {
  return queryOptions({
    queryKey: ['listWorkflows', 'names'],
    queryFn: ({ signal }) => client.listWorkflows({ query: { expansion: 'name', limit: MOST_NAMES }, signal }),
    staleTime: 60_000,
  });
}
