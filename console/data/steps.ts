import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { nextCursor } from 'perdure-client';
import { client } from '../session.ts';
import type { ExecutionStep } from './executions.ts';

const PAGE_SIZE = 200;

/** All steps of an execution, page after page: its path has those of the newest iterations alone. */
export function stepPages(executionId: string, filterBy: string) {
  return infiniteQueryOptions({
    queryKey: ['listExecutionSteps', executionId, filterBy],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, ...(filterBy === '' ? {} : { filterBy }) };
      const answer = await client.send('listExecutionSteps', {
        path: { executionId },
        query: pageParam === undefined ? query : { ...query, cursor: pageParam },
        signal,
      });
      return { rows: (await answer.json()) as ExecutionStep[], next: nextCursor(answer) };
    },
    getNextPageParam: ({ next }) => next,
  });
}

/** One step, wherever it is. */
export function oneStep(executionId: string, stepId: string) {
  return queryOptions({
    queryKey: ['getExecutionStep', executionId, stepId],
    queryFn: ({ signal }) => client.getExecutionStep({ path: { executionId, stepId }, signal }),
  });
}

/** A loop that went on where items of it failed. */
export const hasFailedItems = ({ status, iterations }: ExecutionStep): boolean =>
  status === 'COMPLETED' && iterations !== undefined && iterations.failed > 0;
