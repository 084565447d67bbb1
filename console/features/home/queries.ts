import { queryOptions } from '@tanstack/react-query';
import { client } from '../../app/session/session.ts';

const SHOWN = 20;

export const openApprovals = queryOptions({
  queryKey: ['listTasks', 'approvals'],
  queryFn: ({ signal }) => client.listTasks({ query: { filterBy: 'status:NEEDS_APPROVAL', limit: SHOWN }, signal }),
});

export const queueCounts = queryOptions({
  queryKey: ['listQueues', 'counts'],
  queryFn: ({ signal }) => client.listQueues({ query: { expansion: 'itemCounts', limit: SHOWN }, signal }),
});
