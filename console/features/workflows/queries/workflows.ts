import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Answer, components } from 'perdure-client';
import { etagOf } from '../../../app/api/ifMatch.ts';
import { withLeftOut } from '../../../app/api/leftOut.ts';
import { pagesOf } from '../../../app/api/pages.ts';
import { client } from '../../../app/session/session.ts';

type Field = components['schemas']['Field'];

/** Every key begins with its operation, which the change feed uses to find it. */
const KEYS = {
  list: ['listWorkflows'],
  one: (workflowId: string) => ['getWorkflow', workflowId],
  executions: ['listExecutions'],
} as const;

export const refreshWorkflowList = (queries: QueryClient) => queries.invalidateQueries({ queryKey: KEYS.list });

export function refreshWorkflows(queries: QueryClient): void {
  for (const key of ['getWorkflow', 'listWorkflows', 'listWorkflowVersions', 'listExecutions']) {
    void queries.invalidateQueries({ queryKey: [key] });
  }
}

/** Refetches the lists, which now contain the execution, and the workflow's count of held executions. */
export function refreshAfterStart(queries: QueryClient, workflowId: string): void {
  void queries.invalidateQueries({ queryKey: KEYS.executions });
  void queries.invalidateQueries({ queryKey: KEYS.one(workflowId) });
}

export function forgetWorkflow(queries: QueryClient, workflowId: string): void {
  queries.removeQueries({ queryKey: KEYS.one(workflowId) });
  void refreshWorkflowList(queries);
}

const workflowList = (expansion: string, limit: number, staleTime: number) =>
  queryOptions({
    queryKey: [...KEYS.list, expansion, limit],
    queryFn: ({ signal }) => client.listWorkflows({ query: { expansion, limit }, signal }),
    staleTime,
  });

export const workflowTriggers = () => workflowList('triggerStatus,nextScheduledExecution', 100, 30_000);

const ROW = [
  'name',
  'slug',
  'version',
  'hasDraft',
  'isActive',
  'paused',
  'managedByCode',
  'project',
  'triggerAndActionIds',
  'heldExecutions',
] as const;

export type WorkflowRow = Answer<'listWorkflows'>[number];

export const workflowPages = (filterBy: string) =>
  pagesOf('listWorkflows', { query: { expansion: ROW.join(','), filterBy } });

const WHOLE = [
  ...ROW,
  'description',
  'maxConcurrent',
  'timeoutMs',
  'onFailureWorkflowId',
  'exposeAsTool',
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

export interface WorkflowRead {
  workflow: WorkflowWhole;
  etag: string | undefined;
}

export function workflow(workflowId: string) {
  return queryOptions({
    queryKey: KEYS.one(workflowId),
    queryFn: async ({ signal }): Promise<WorkflowRead> => {
      const path = { workflowId };
      const answer = await client.send('getWorkflow', { path, query: { expansion: WHOLE.join(',') }, signal });
      const readOne = (expansion: string) => client.getWorkflow({ path, query: { expansion }, signal });
      const workflow = await withLeftOut((await answer.json()) as WorkflowWhole, LARGE, readOne);
      return { workflow, etag: etagOf(answer) };
    },
  });
}

/** The next scheduled start. A separate query, because the API reads it from the engine. */
export function nextStart(workflowId: string) {
  return queryOptions({
    queryKey: [...KEYS.one(workflowId), 'nextScheduledExecution'],
    queryFn: ({ signal }) =>
      client.getWorkflow({ path: { workflowId }, query: { expansion: 'nextScheduledExecution' }, signal }),
    staleTime: 30_000,
    retry: false,
  });
}

const INPUTS = 10;

export function lastInputs(workflowId: string) {
  const query = {
    expansion: 'executionNumber,startedAt,input',
    filterBy: `workflowId:${workflowId}`,
    limit: INPUTS,
  };
  return queryOptions({
    queryKey: [...KEYS.executions, 'inputs', workflowId],
    queryFn: ({ signal }) => client.listExecutions({ query, signal }),
  });
}

export type VersionRow = Answer<'listWorkflowVersions'>[number];
export type VersionWhole = Answer<'getWorkflowVersion'>;

export const versionPages = (workflowId: string) => pagesOf('listWorkflowVersions', { path: { workflowId } });

/** A version with its definition. The definition never changes, but the count of open executions does. */
export function oneVersion(workflowId: string, version: number) {
  return queryOptions({
    queryKey: ['getWorkflowVersion', workflowId, version],
    queryFn: ({ signal }) => client.getWorkflowVersion({ path: { workflowId, version: String(version) }, signal }),
    staleTime: 60_000,
  });
}

export function triggerFields(workflowId: string, version: number | 'latest') {
  return queryOptions({
    queryKey: ['triggerFields', workflowId, version],
    queryFn: async ({ client: queries, signal }): Promise<readonly Field[]> => {
      const { triggerNode } =
        version === 'latest'
          ? await client.getWorkflow({ path: { workflowId }, query: { expansion: 'triggerNode' }, signal })
          : await queries.ensureQueryData(oneVersion(workflowId, version));
      return triggerNode?.type === 'manual' ? (triggerNode.config.fields ?? []) : [];
    },
  });
}

const RECORDABLE_COUNT = 20;

/** The latest executions that can be recorded as test cases: those that have ended or wait for an answer. */
export function recordable(workflowId: string) {
  const filterBy = `workflowId:${workflowId},status:COMPLETED|FAILED|CANCELLED|TIMED_OUT|NEEDS_INPUT`;
  return queryOptions({
    queryKey: [...KEYS.executions, 'recordable', workflowId],
    queryFn: ({ signal }) =>
      client.listExecutions({
        query: { filterBy, expansion: 'executionNumber,status,startedAt', limit: RECORDABLE_COUNT },
        signal,
      }),
  });
}

export async function readRecord(workflowId: string, executionId: string) {
  const expansion = 'executionNumber,workflowVersion,status,startedAt,stoppedAt';
  const execution = await client.getExecution({ path: { executionId }, query: { expansion } });
  const { workflowVersion: version, status = '' } = execution;
  if (version == null) throw new Error(`Execution ${executionId} has no version`);
  return { execution, ...(await client.readExecutionRecord({ executionId, workflowId, version, status })) };
}
