import { queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import { etagOf } from '../../../app/api/ifMatch.ts';
import { withLeftOut } from '../../../app/api/leftOut.ts';
import { pagesOf } from '../../../app/api/pages.ts';
import { client } from '../../../app/session/session.ts';

/** The first workflows with these fields, the last changed first: where no page behind them is asked for. */
const workflowList = (expansion: string, limit: number, staleTime: number) =>
  queryOptions({
    queryKey: ['listWorkflows', expansion, limit],
    queryFn: ({ signal }) => client.listWorkflows({ query: { expansion, limit }, signal }),
    staleTime,
  });

/** When they start next, and why their last poll failed. */
export const workflowTriggers = () => workflowList('triggerStatus,nextScheduledExecution', 100, 30_000);

const ROW = [
  'name',
  'slug',
  'version',
  'isActive',
  'paused',
  'managedByCode',
  'project',
  'triggerAndActionIds',
  'heldExecutions',
] as const;

export type WorkflowRow = Answer<'listWorkflows'>[number];

/** Pages of workflows, the last changed first; `filterBy` as the API takes it. */
export const workflowPages = (filterBy: string) =>
  pagesOf('listWorkflows', { query: { expansion: ROW.join(','), filterBy } });

const WHOLE = [
  ...ROW,
  'description',
  'maxConcurrent',
  'timeoutMs',
  'onFailureWorkflowId',
  'triggerNode',
  'triggerStatus',
  'pollStorage',
  'nodes',
  'edges',
  'orientation',
  'subWorkflowIds',
  'usedBy',
  'updatedAt',
];

const LARGE = ['triggerNode', 'nodes', 'edges'] as const;

export type WorkflowWhole = Answer<'getWorkflow'>;

/** A workflow, and the ETag of what was read, for the If-Match of a change. */
export interface WorkflowRead {
  workflow: WorkflowWhole;
  etag: string | undefined;
}

/** One workflow with its newest definition. */
export function workflow(workflowId: string) {
  return queryOptions({
    queryKey: ['getWorkflow', workflowId],
    queryFn: async ({ signal }): Promise<WorkflowRead> => {
      const path = { workflowId };
      const answer = await client.send('getWorkflow', { path, query: { expansion: WHOLE.join(',') }, signal });
      const readOne = (expansion: string) => client.getWorkflow({ path, query: { expansion }, signal });
      const workflow = await withLeftOut((await answer.json()) as WorkflowWhole, LARGE, readOne);
      return { workflow, etag: etagOf(answer) };
    },
  });
}

/** When its schedule starts it next; asks the engine, so it is apart from what is read of the workflow. */
export function nextStart(workflowId: string) {
  return queryOptions({
    queryKey: ['getWorkflow', workflowId, 'nextScheduledExecution'],
    queryFn: ({ signal }) =>
      client.getWorkflow({ path: { workflowId }, query: { expansion: 'nextScheduledExecution' }, signal }),
    staleTime: 30_000,
    retry: false,
  });
}

const INPUTS = 10;

/** What it was started with lately, the newest first. */
export function lastInputs(workflowId: string) {
  const query = {
    expansion: 'executionNumber,startedAt,input',
    filterBy: `workflowId:${workflowId}`,
    limit: INPUTS,
  };
  return queryOptions({
    queryKey: ['listExecutions', 'inputs', workflowId],
    queryFn: ({ signal }) => client.listExecutions({ query, signal }),
  });
}
