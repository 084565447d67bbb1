import { queryOptions } from '@tanstack/react-query';
import type { Answer } from 'perdure-client';
import type { AppManifest } from '../../../../domain/app/manifest.ts';
import type { Json } from '../../../../domain/json.ts';
import type { ProblemDetail } from '../../../../domain/problem.ts';
import { etagOf } from '../../../app/api/ifMatch.ts';
import { withLeftOut } from '../../../app/api/leftOut.ts';
import { client } from '../../../app/session/session.ts';
import { type Draft, upsertBody } from '../model/draft.ts';
import type { Sample } from '../model/scopeOf.ts';

const MAX_NAMES = 1_000;

const WHOLE = [
  'name',
  'description',
  'slug',
  'version',
  'project',
  'nodes',
  'edges',
  'triggerNode',
  'output',
  'labels',
  'notes',
  'orientation',
  'managedByCode',
  'maxConcurrent',
  'timeoutMs',
  'onFailureWorkflowId',
];

const LARGE = ['nodes', 'edges', 'triggerNode', 'output', 'labels', 'notes'] as const;

export interface StoredWorkflow {
  id: string;
  version: number;
  managedByCode: boolean;
  etag: string;
  draft: Draft;
}

export async function readStored(workflowId: string, signal?: AbortSignal): Promise<StoredWorkflow> {
  const options = { path: { workflowId }, ...(signal === undefined ? {} : { signal }) };
  const answer = await client.send('getWorkflow', { ...options, query: { expansion: WHOLE.join(',') } });
  // A change between these reads also changes the ETag, so a save of mixed parts is rejected.
  const readOne = (expansion: string) => client.getWorkflow({ ...options, query: { expansion } });
  const workflow = await withLeftOut((await answer.json()) as Answer<'getWorkflow'>, LARGE, readOne);
  const { nodes, edges, triggerNode, output, labels = {}, notes = [] } = workflow;
  const draft = {
    slug: workflow.slug ?? '',
    name: workflow.name,
    description: workflow.description ?? '',
    projectId: workflow.project?.id ?? '',
    orientation: workflow.orientation ?? ('horizontal' as const),
    maxConcurrent: workflow.maxConcurrent ?? null,
    timeoutMs: workflow.timeoutMs ?? null,
    onFailureWorkflowId: workflow.onFailureWorkflowId ?? null,
    definition: {
      trigger: triggerNode,
      nodes,
      edges,
      ...(output === undefined || output === null ? {} : { output }),
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      ...(notes.length === 0 ? {} : { notes }),
    } as Draft['definition'],
  };
  return {
    id: workflow.id,
    version: workflow.version ?? 0,
    managedByCode: workflow.managedByCode ?? false,
    etag: etagOf(answer) ?? '',
    draft,
  };
}

export function storedWorkflow(workflowId: string) {
  return queryOptions({
    queryKey: ['getWorkflow', workflowId, 'editor'],
    queryFn: ({ signal }) => readStored(workflowId, signal),
    // The editor has its own state, which a refetch must not replace.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

export function theirWorkflow(workflowId: string) {
  return queryOptions({
    queryKey: ['getWorkflow', workflowId, 'theirs'],
    queryFn: ({ signal }) => readStored(workflowId, signal),
    staleTime: 0,
    gcTime: 0,
  });
}

/** Reads the fields of a manual trigger; empty for other triggers. */
export function startFields(workflowId: string) {
  return queryOptions({
    queryKey: ['getWorkflow', workflowId, 'fields'],
    queryFn: async ({ signal }) => {
      const { triggerNode } = await client.getWorkflow({
        path: { workflowId },
        query: { expansion: 'triggerNode' },
        signal,
      });
      const trigger = triggerNode as Draft['definition']['trigger'] | undefined;
      return trigger?.type === 'manual' ? (trigger.config.fields ?? []) : [];
    },
    staleTime: 30_000,
  });
}

/** Reads the app catalogue in the shape that the validator expects. */
export function workflowApps() {
  return queryOptions({
    queryKey: ['listWorkflowApps'],
    queryFn: async ({ signal }) =>
      (await client.listWorkflowApps({ query: { limit: MAX_NAMES }, signal })) as unknown as AppManifest[],
    staleTime: 300_000,
    refetchOnWindowFocus: false,
  });
}

export function projects() {
  return queryOptions({
    queryKey: ['listProjects', 'names'],
    queryFn: ({ signal }) => client.listProjects({ query: { limit: MAX_NAMES }, signal }),
    staleTime: 60_000,
  });
}

export function appConnections(appId: string) {
  return queryOptions({
    queryKey: ['listConnections', appId],
    queryFn: ({ signal }) =>
      client.listConnections({
        query: { filterBy: `workflowAppId:${appId}`, expansion: 'name,isDefault,status', limit: MAX_NAMES },
        signal,
      }),
  });
}

export function variableNames() {
  return queryOptions({
    queryKey: ['listVariables', 'names'],
    queryFn: ({ signal }) => client.listVariables({ query: { limit: MAX_NAMES }, signal }),
  });
}

/** Returns why the API would refuse to store the draft. Rejects if the API does not answer. */
export async function serverProblems(draft: Draft, signal?: AbortSignal): Promise<ProblemDetail[]> {
  const { slug, name, ...rest } = upsertBody(draft);
  // The editor reports an empty slug or name itself; the API would report nothing else then.
  const body = { ...rest, slug: slug || 'slug', name: name || 'name', managedByCode: false };
  const project = draft.projectId === '' ? {} : { projectId: draft.projectId };
  const { problems } = await client.validateWorkflow({
    body: { ...body, ...project } as never,
    ...(signal === undefined ? {} : { signal }),
  });
  return problems as ProblemDetail[];
}

/** Whether a workflow of the project has the slug: an upsert would change that workflow. */
export async function isSlugTaken({ slug, projectId }: Draft): Promise<boolean> {
  const query = { filterBy: `slug:${slug},projectId:${projectId}`, includeType: 'internal', limit: 1 };
  return (await client.listWorkflows({ query })).length > 0;
}

/** Larger outputs, in bytes, are not loaded: a preview needs no file. */
const MAX_BYTES = 500_000;
const MAX_LOADED = 40;

const EXPANSION = [
  'name',
  'status',
  'workflow',
  'executionNumber',
  'startedAt',
  'input',
  'executionPath',
  'executionVariables',
].join(',');

export function sample(executionId: string) {
  return queryOptions({
    queryKey: ['getExecution', executionId, 'sample'],
    queryFn: ({ signal }) => readSample(executionId, signal),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
}

async function readSample(executionId: string, signal: AbortSignal): Promise<Sample> {
  const path = { executionId };
  const whole = await client.getExecution({ path, query: { expansion: EXPANSION }, signal });
  const input = whole.inputLink ? await client.getExecutionInput({ path, signal }) : whole.input;
  const far = (whole.executionPath ?? []).filter(
    ({ outputLink, outputBytes }) => outputLink && (outputBytes ?? 0) <= MAX_BYTES,
  );
  const outputs = new Map(
    await Promise.all(
      far.slice(-MAX_LOADED).map(async ({ id }) => {
        const output = await client.getExecutionStepOutput({ path: { executionId, stepId: id }, signal });
        return [id, output] as const;
      }),
    ),
  );
  return {
    executionId,
    trigger: (input?.trigger ?? null) as Json,
    steps: (whole.executionPath ?? []).map((step) => ({ ...step, output: outputs.get(step.id) ?? step.output })),
    variables: (whole.executionVariables ?? {}) as Record<string, Json>,
    execution: {
      id: executionId,
      number: whole.executionNumber ?? 0,
      startedAt: whole.startedAt ?? '',
      workflowId: whole.workflow?.id ?? '',
      workflowName: whole.workflow?.name ?? whole.name ?? '',
    },
  };
}
