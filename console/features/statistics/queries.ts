import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { client } from '../../app/session/session.ts';

export type Statistics = Answer<'getExecutionStatistics'>;
export type Bucket = Statistics['buckets'][number];
export type StatisticsQuery = NonNullable<Parameters<typeof client.getExecutionStatistics>[0]>['query'];

/** Read at most twice a minute, because the API counts up to 100,000 executions for them. */
export function statistics(query: NonNullable<StatisticsQuery>) {
  return queryOptions({
    queryKey: ['getExecutionStatistics', query],
    queryFn: ({ signal }) => client.getExecutionStatistics({ query, signal }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
}
