import { queryOptions } from '@tanstack/react-query';
import { client } from '../../app/session/session.ts';

const SHOWN = 20;

/** Agents' calls that wait for a yes or no of a person. */
export const openApprovals = queryOptions({
  queryKey: ['listTasks', 'approvals'],
  queryFn: ({ signal }) => client.listTasks({ query: { filterBy: 'status:NEEDS_APPROVAL', limit: SHOWN }, signal }),
});

/** Queues with how many items of theirs are in each state. */
export const queueCounts = queryOptions({
  queryKey: ['listQueues', 'counts'],
  queryFn: ({ signal }) => client.listQueues({ query: { expansion: 'itemCounts', limit: SHOWN }, signal }),
});
