import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { nextCursor } from 'perdure-client';
import { client } from '../../../app/session/session.ts';
import type { ExecutionStep } from './executions.ts';

const PAGE_SIZE = 200;

/** Reads all steps page by page. The execution's path contains only those of the newest iterations. */
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

export function oneStep(executionId: string, stepId: string) {
  return queryOptions({
    queryKey: ['getExecutionStep', executionId, stepId],
    queryFn: ({ signal }) => client.getExecutionStep({ path: { executionId, stepId }, signal }),
  });
}

/** Whether a loop continued although some of its items failed. */
export const hasFailedItems = ({ status, iterations }: ExecutionStep): boolean =>
  status === 'COMPLETED' && iterations !== undefined && iterations.failed > 0;

/** An iteration as the API names it: `outer:3/inner:0`. */
export const iterationText = (iteration: ExecutionStep['iteration']) =>
  iteration.map(({ nodeId, index }) => `${nodeId}:${index}`).join('/');

/** Reads the first page of an iteration's steps, including those of loops inside it. */
export function stepsOfIteration(executionId: string, iteration: string, signal?: AbortSignal) {
  const query = { limit: PAGE_SIZE, filterBy: `iteration:${iteration}` };
  return client.listExecutionSteps({ path: { executionId }, query, ...(signal === undefined ? {} : { signal }) });
}

export function iterationSteps(executionId: string, iteration: string) {
  return queryOptions({
    queryKey: ['listExecutionSteps', executionId, 'iteration', iteration],
    queryFn: ({ signal }) => stepsOfIteration(executionId, iteration, signal),
  });
}

/** Whether a step is in this iteration, in one inside it, or outside of its loops. */
export function isOfIteration({ iteration }: ExecutionStep, around: ExecutionStep['iteration']): boolean {
  return iteration.every(({ nodeId, index }) => around.every((one) => one.nodeId !== nodeId || one.index === index));
}
