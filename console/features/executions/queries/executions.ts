import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { withLeftOut } from '../../../app/api/leftOut.ts';
import { pagesOf } from '../../../app/api/pages.ts';
import { client } from '../../../app/session/session.ts';

const ROW = [
  'name',
  'status',
  'statusMessage',
  'workflow',
  'startedAt',
  'stoppedAt',
  'executionNumber',
  'held',
  'continueExecutionAt',
  'labels',
  'errorCode',
  'failedNodeId',
  'retriedBy',
  'acknowledged',
] as const;

export function refreshExecution(queries: QueryClient, executionId: string): void {
  void queries.invalidateQueries({ queryKey: ['getExecution', executionId] });
}

export function refreshExecutionLists(queries: QueryClient): void {
  for (const key of ['listExecutions', 'countExecutions', 'getExecutionStatistics']) {
    void queries.invalidateQueries({ queryKey: [key] });
  }
}

export type ExecutionRow = Answer<'listExecutions'>[number];

/** Pages of executions, newest first. `name` identifies the list if its `filterBy` changes with the time. */
export const executionPages = (filterBy: string, name?: object) =>
  pagesOf('listExecutions', { query: { expansion: `${ROW.join(',')},retryingSteps,startedBy`, filterBy } }, name);

export function executionCounts(filterBy: string) {
  return queryOptions({
    queryKey: ['countExecutions', filterBy],
    queryFn: ({ signal }) => client.countExecutions({ query: filterBy === '' ? {} : { filterBy }, signal }),
    placeholderData: keepPreviousData,
  });
}

export const WHOLE = [
  ...ROW,
  'nodes',
  'edges',
  'orientation',
  'input',
  'output',
  'startedBy',
  'triggerType',
  'workflowVersion',
  'traceId',
  'parentExecution',
  'retryOf',
  'executionPath',
  'pendingInput',
] as const;

export const LARGE = ['nodes', 'edges', 'pendingInput'] as const;

export type ExecutionWhole = Answer<'getExecution'>;
export type ExecutionStep = NonNullable<ExecutionWhole['executionPath']>[number];
export type OpenQuestion = NonNullable<ExecutionWhole['pendingInput']>[number];

export function execution(executionId: string) {
  return queryOptions({
    queryKey: ['getExecution', executionId],
    queryFn: async ({ signal }) => {
      const read = (expansion: string) => client.getExecution({ path: { executionId }, query: { expansion }, signal });
      return withLeftOut(await read(WHOLE.join(',')), LARGE, read);
    },
  });
}

/** The number of a related execution; it never changes. */
export function executionNumber(executionId: string) {
  return queryOptions({
    queryKey: ['executionNumber', executionId],
    queryFn: async ({ signal }) => {
      const query = { expansion: 'executionNumber' };
      return (await client.getExecution({ path: { executionId }, query, signal })).executionNumber ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export const readInput = (executionId: string) => client.getExecutionInput({ path: { executionId } });
export const readOutput = (executionId: string) => client.getExecutionOutput({ path: { executionId } });

export const readPath = (executionId: string, signal: AbortSignal) =>
  client.getExecution({ path: { executionId }, query: { expansion: 'executionPath,retryOf' }, signal });

/** The number of executions whose values can be chosen. */
const RECENT = 20;

export function recentExecutions(workflowId: string) {
  return queryOptions({
    queryKey: ['listExecutions', 'recent', workflowId],
    queryFn: async ({ signal }) => {
      const recent = (filterBy: string) =>
        client.listExecutions({
          query: { filterBy, expansion: 'executionNumber,status,startedAt', limit: RECENT },
          signal,
        });
      // A list leaves out runs of drafts unless it asks for them alone.
      const [published, ofDraft] = await Promise.all([
        recent(`workflowId:${workflowId}`),
        recent(`workflowId:${workflowId},draft:true`),
      ]);
      return [...published, ...ofDraft]
        .sort((one, other) => (other.startedAt ?? '').localeCompare(one.startedAt ?? ''))
        .slice(0, RECENT);
    },
    staleTime: 30_000,
  });
}
