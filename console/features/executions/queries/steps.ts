import { infiniteQueryOptions, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { nextCursor } from 'perdure-client';
import { useEffect, useSyncExternalStore } from 'react';
import { isTerminal } from '../../../../domain/execution/status.ts';
import { withLeftOut } from '../../../app/api/leftOut.ts';
import { client } from '../../../app/session/session.ts';
import { type ExecutionStep, type ExecutionWhole, execution, LARGE, WHOLE } from './executions.ts';

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

/**
 * Follows the stream while the execution is open and the tab is visible; hidden tabs hold no connection. Reads the
 * execution once more after its end, because the stream does not carry every field.
 */
export function useExecution(executionId: string) {
  const queries = useQueryClient();
  const options = execution(executionId);
  const query = useQuery(options);
  const isVisible = useVisible();
  const isOpen = isVisible && query.data?.status !== undefined && !isTerminal(query.data.status);
  useEffect(() => {
    if (!isOpen) return;
    const stopped = new AbortController();
    const change = (update: (known: ExecutionWhole) => ExecutionWhole) =>
      queries.setQueryData<ExecutionWhole>(['getExecution', executionId], (known) => known && update(known));
    const follow = async () => {
      const events = client.followExecution(executionId, {
        signal: stopped.signal,
        reconnectMs: Number.POSITIVE_INFINITY,
      });
      for await (const event of events) {
        if (event.type === 'execution.progress') {
          const { status, statusMessage, executionPath, pendingInput, stepsLeftOut } = event;
          change((known) => ({ ...known, status, statusMessage, executionPath, pendingInput, stepsLeftOut }));
        }
        if (event.type === 'loop.progress') change((known) => withLoop(known, event));
        if (event.type === 'execution.finished') {
          await queries.invalidateQueries({ queryKey: ['getExecution', executionId] });
        }
      }
    };
    follow().catch((error: unknown) => {
      // Keeps the data; the stream is opened again when the tab becomes visible.
      if (!stopped.signal.aborted) void queries.invalidateQueries({ queryKey: ['getExecution', executionId] });
      else if (!(error instanceof DOMException)) throw error;
    });
    return () => stopped.abort();
  }, [executionId, isOpen, queries]);
  return query;
}

interface LoopCounts {
  nodeId: string;
  iteration?: { nodeId: string; index: number }[];
  completed: number;
  failed: number;
  total?: number;
}

function withLoop(
  known: ExecutionWhole,
  { nodeId, iteration = [], completed, failed, total }: LoopCounts,
): ExecutionWhole {
  const place = JSON.stringify(iteration.map((each) => [each.nodeId, each.index]));
  const executionPath = known.executionPath?.map((step) => {
    const own = JSON.stringify(step.iteration.map((each) => [each.nodeId, each.index]));
    if (step.nodeId !== nodeId || own !== place) return step;
    const iterations = { ...step.iterations, completed, failed, ...(total === undefined ? {} : { total }) };
    return { ...step, iterations };
  });
  return { ...known, executionPath };
}

/** Fields that the API answers without `expansion`. */
type Unasked = 'id' | 'stepsLeftOut' | `${string}Link` | `${string}Bytes`;

/** All other fields of an execution. A new field of the contract fails the type check until it is listed. */
const REST: Record<Exclude<keyof ExecutionWhole, (typeof WHOLE)[number] | Unasked>, true> = {
  createdAt: true,
  updatedAt: true,
  source: true,
  project: true,
  workspace: true,
  retryingSteps: true,
  cancelRequestedAt: true,
  executionVariables: true,
  childExecutions: true,
  failureOf: true,
  failureHandling: true,
};
const EVERYTHING = [...WHOLE, ...Object.keys(REST)].join(',');

export function wholeExecution(executionId: string) {
  return queryOptions({
    queryKey: ['getExecution', executionId, 'everything'],
    queryFn: async ({ signal }) => {
      const read = (expansion: string) => client.getExecution({ path: { executionId }, query: { expansion }, signal });
      return withLeftOut(await read(EVERYTHING), [...LARGE, 'executionVariables', 'childExecutions'], read);
    },
  });
}

export async function loadStepValue(executionId: string, stepId: string, part: 'input' | 'output'): Promise<unknown> {
  const path = { executionId, stepId };
  return part === 'input'
    ? await client.getExecutionStepInput({ path })
    : await client.getExecutionStepOutput({ path });
}

function subscribe(read: () => void): () => void {
  document.addEventListener('visibilitychange', read);
  return () => document.removeEventListener('visibilitychange', read);
}

function useVisible(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
}
