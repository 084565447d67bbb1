import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { client } from '../../app/session/session.ts';

export type Statistics = Answer<'getExecutionStatistics'>;
export type Bucket = Statistics['buckets'][number];
export type StatisticsQuery = NonNullable<Parameters<typeof client.getExecutionStatistics>[0]>['query'];

/** Executions over time, and by what they have in common. Counted by the API over at most 100,000 of them, so not read more than twice a minute. */
export function statistics(query: NonNullable<StatisticsQuery>) {
  return queryOptions({
    queryKey: ['getExecutionStatistics', query],
    queryFn: ({ signal }) => client.getExecutionStatistics({ query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}
