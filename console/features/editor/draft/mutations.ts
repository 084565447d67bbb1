import { type Arguments, isProblem } from 'perdure-client';
import { isError, type ProblemDetail } from '../../../../domain/problem.ts';
import { etagOf, ifMatch } from '../../../app/api/ifMatch.ts';
import { client } from '../../../app/session/session.ts';
import { readStored, readTags, type StoredWorkflow, serverProblems, type Tags } from '../editing/queries.ts';
import { type Draft, isSameDraft, upsertBody } from '../model/draft.ts';
import { missing } from '../problems/ProblemList.tsx';
import { tagOf } from './keptDraft.ts';

/** `run`: save, to run the draft. */
export type SaveAct = 'save' | 'publish' | 'run';

/** The stored workflow that a draft began from. */
export interface Baseline extends Pick<StoredWorkflow, 'published' | 'version' | 'managedByCode' | 'draft'> {
  /** Undefined for a new workflow. */
  id: string | undefined;
  /** The workflow and its stored draft, as they were; an empty text: whatever they are now. */
  tag: string;
  /** The API has a draft that was not published. */
  hasDraft: boolean;
}

export interface Save {
  act: SaveAct;
  draft: Draft;
  baseline: Baseline;
}

export type Saved = { stored: StoredWorkflow; wasSame: boolean } | { problems: ProblemDetail[] } | 'conflict';

/** Saves or publishes the draft, unless somebody else has changed the workflow since. Only errors hinder publishing. */
export async function save({ act, draft, baseline }: Save): Promise<Saved> {
  const absent = missing(draft);
  const needed = act === 'publish' ? absent : absent.filter(({ path }) => !path.startsWith('nodes'));
  if (needed.length > 0) return { problems: needed };
  if (act === 'publish') {
    const problems = (await serverProblems(draft)).filter(isError);
    if (problems.length > 0) return { problems };
  }
  try {
    if (baseline.id === undefined) return await create(act, draft);
    const tags = await readTags(baseline.id);
    if (baseline.tag !== '' && tagOf(tags) !== baseline.tag) return 'conflict';
    return await (baseline.managedByCode ? upsert : change)(act, draft, { ...baseline, id: baseline.id }, tags);
  } catch (error) {
    if (!isProblem(error)) throw error;
    if (error.status === 412) return 'conflict';
    if (error.errors.length > 0) return { problems: error.errors as ProblemDetail[] };
    throw error;
  }
}

async function create(act: SaveAct, draft: Draft): Promise<Saved> {
  const path = { projectId: draft.projectId };
  const made = await client.send('createWorkflowDraft', { path, body: upsertBody(draft) as never });
  const { id } = (await made.json()) as { id: string };
  if (act === 'publish') await client.publishWorkflowDraft({ path: { workflowId: id }, ...ifMatch(etagOf(made)) });
  return { stored: await readStored(id), wasSame: false };
}

type Known = Baseline & { id: string };

async function change(act: SaveAct, draft: Draft, { id, published, version }: Known, tags: Tags): Promise<Saved> {
  const isPublished = published !== undefined && tags.draft === undefined && isSameDraft(draft, published);
  if (isPublished) return { stored: await readStored(id), wasSame: true };
  const path = { workflowId: id };
  const saved = await client.send('saveWorkflowDraft', {
    ...{ path, ...ifMatch(tags.draft ?? tags.workflow) },
    body: upsertBody(draft) as never,
  });
  if (act === 'publish') await client.publishWorkflowDraft({ path, ...ifMatch(etagOf(saved)) });
  const stored = await readStored(id);
  return { stored, wasSame: act === 'publish' && stored.version === version };
}

/** A workflow that code manages has no draft: publishing takes it over from the code. */
async function upsert(_: SaveAct, draft: Draft, { id, version }: Known, tags: Tags): Promise<Saved> {
  const path = { projectId: draft.projectId };
  const body = { ...upsertBody(draft), managedByCode: false } as never;
  await client.upsertWorkflow({ path, body, ...ifMatch(tags.workflow) });
  const stored = await readStored(id);
  return { stored, wasSame: stored.version === version };
}

/** Discards the stored draft, unless somebody has saved it since. */
export async function discardDraft(workflowId: string): Promise<void> {
  const { draft } = await readTags(workflowId);
  await client.deleteWorkflowDraft({ path: { workflowId }, ...ifMatch(draft) });
}

interface Run {
  baseline: Baseline & { id: string };
  draft: Draft;
  input: object;
  /** The same key never starts a second execution. */
  idempotencyKey: string;
}

/** Starts the stored draft. If only a version is stored, it is a draft for this start alone. */
export async function runDraft({ baseline, draft, input, idempotencyKey }: Run): Promise<string> {
  const path = { workflowId: baseline.id };
  const run = async () => {
    const body = { inputData: input as never };
    return (await client.executeWorkflowDraft({ path, body, idempotencyKey })).executionId;
  };
  if (baseline.hasDraft) return await run();
  const saved = await client.send('saveWorkflowDraft', { path, body: upsertBody(draft) as never });
  try {
    return await run();
  } finally {
    await client.deleteWorkflowDraft({ path, ...ifMatch(etagOf(saved)) });
  }
}

export const testNode = (body: Arguments<'testUnsavedNode'>['body']) => client.testUnsavedNode({ body });
