import { queryOptions } from '@tanstack/react-query';
import { type Answer, isProblem } from 'perdure-client';
import type { AppManifest } from '../../../../domain/app/manifest.ts';
import type { Json } from '../../../../domain/json.ts';
import type { ProblemDetail } from '../../../../domain/problem.ts';
import { etagOf } from '../../../app/api/ifMatch.ts';
import { withLeftOut } from '../../../app/api/leftOut.ts';
import { client } from '../../../app/session/session.ts';
import { loaded } from '../../../ui/load/lazyPart.ts';
import { type Draft, EMPTY_DEFINITION, upsertBody } from '../model/draft.ts';
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
  'hasDraft',
];

const LARGE = ['nodes', 'edges', 'triggerNode', 'output', 'labels', 'notes'] as const;

export interface StoredWorkflow {
  id: string;
  /** Undefined if no version was published. */
  version: number | undefined;
  managedByCode: boolean;
  /** The definition that runs; undefined if none was published. */
  published: Draft | undefined;
  /** The stored draft, or the published definition without one. */
  draft: Draft;
  tags: Tags;
}

/** ETags of the workflow and of its stored draft. */
export interface Tags {
  workflow: string;
  draft: string | undefined;
}

export async function readStored(workflowId: string, signal?: AbortSignal): Promise<StoredWorkflow> {
  const options = { path: { workflowId }, ...(signal === undefined ? {} : { signal }) };
  const answer = await client.send('getWorkflow', { ...options, query: { expansion: WHOLE.join(',') } });
  // A change between these reads also changes the ETag, so a save of mixed parts is rejected.
  const readOne = (expansion: string) => client.getWorkflow({ ...options, query: { expansion } });
  const workflow = await withLeftOut((await answer.json()) as Answer<'getWorkflow'>, LARGE, readOne);
  const { nodes, edges, triggerNode, output, labels = {}, notes = [] } = workflow;
  const settings = {
    slug: workflow.slug ?? '',
    name: workflow.name,
    description: workflow.description ?? '',
    projectId: workflow.project?.id ?? '',
    orientation: workflow.orientation ?? ('horizontal' as const),
    maxConcurrent: workflow.maxConcurrent ?? null,
    timeoutMs: workflow.timeoutMs ?? null,
    onFailureWorkflowId: workflow.onFailureWorkflowId ?? null,
  };
  const definition = {
    trigger: triggerNode,
    nodes,
    edges,
    ...(output === undefined || output === null ? {} : { output }),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(notes.length === 0 ? {} : { notes }),
  } as Draft['definition'];
  const isPublished = workflow.version != null;
  const published = isPublished ? { ...settings, definition } : undefined;
  const saved = workflow.hasDraft === true ? await readDraft(workflowId, settings, signal) : undefined;
  return {
    id: workflow.id,
    version: workflow.version ?? undefined,
    managedByCode: workflow.managedByCode ?? false,
    published,
    draft: saved?.draft ?? published ?? { ...settings, definition: EMPTY_DEFINITION },
    tags: { workflow: etagOf(answer) ?? '', draft: saved?.tag },
  };
}

/** Undefined if the draft was published or discarded meanwhile. */
async function readDraft(workflowId: string, settings: Omit<Draft, 'definition'>, signal?: AbortSignal) {
  try {
    const options = { path: { workflowId }, ...(signal === undefined ? {} : { signal }) };
    const answer = await client.send('getWorkflowDraft', options);
    const tag = etagOf(answer);
    // Loaded here, because few workflows have a draft.
    const { draftOf } = await loaded(() => import('../model/storedDraft.ts'));
    return { draft: draftOf((await answer.json()) as Answer<'getWorkflowDraft'>, settings), tag };
  } catch (error) {
    if (isProblem(error) && error.status === 404) return undefined;
    throw error;
  }
}

/** Reads the ETags alone, to find out whether somebody has changed the workflow or its draft. */
export async function readTags(workflowId: string): Promise<Tags> {
  const path = { workflowId };
  const answer = await client.send('getWorkflow', { path, query: { expansion: 'hasDraft' } });
  const { hasDraft } = (await answer.json()) as Answer<'getWorkflow'>;
  const workflow = etagOf(answer) ?? '';
  if (hasDraft !== true) return { workflow, draft: undefined };
  try {
    return { workflow, draft: etagOf(await client.send('getWorkflowDraft', { path })) };
  } catch (error) {
    if (isProblem(error) && error.status === 404) return { workflow, draft: undefined };
    throw error;
  }
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
