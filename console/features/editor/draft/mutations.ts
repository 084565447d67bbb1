import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Arguments, isProblem } from 'perdure-client';
import { isError, type ProblemDetail } from '../../../../domain/problem.ts';
import { ifMatch } from '../../../app/api/ifMatch.ts';
import { client } from '../../../app/session/session.ts';
import { isSlugTaken, readStored, type StoredWorkflow, serverProblems } from '../editing/queries.ts';
import { type Draft, upsertBody } from '../model/draft.ts';
import { missing } from '../problems/ProblemList.tsx';
import { EDITOR } from '../words.ts';

const words = EDITOR;

interface Save {
  draft: Draft;
  workflowId: string | undefined;
  /** The version to replace; undefined: any version. */
  etag: string | undefined;
}

export type Saved = { stored: StoredWorkflow; wasSame: boolean } | { problems: ProblemDetail[] } | 'conflict';

/** Stores the draft, unless it has problems or somebody else has changed the workflow since. */
async function save({ draft, workflowId, etag }: Save, version: number | undefined): Promise<Saved> {
  const absent = missing(draft);
  if (absent.length > 0) return { problems: absent };
  const problems = (await serverProblems(draft)).filter(isError);
  if (problems.length > 0) return { problems };
  if (workflowId === undefined && (await isSlugTaken(draft))) {
    return { problems: [{ path: 'slug', message: words.settings.slugTaken }] };
  }
  try {
    const upserted = await client.upsertWorkflow({
      path: { projectId: draft.projectId },
      body: { ...upsertBody(draft), managedByCode: false } as never,
      ...ifMatch(etag),
    });
    return { stored: await readStored(upserted.id), wasSame: upserted.version === version };
  } catch (error) {
    if (!isProblem(error)) throw error;
    if (error.status === 412) return 'conflict';
    if (error.status === 400 && error.errors.length > 0) return { problems: error.errors as ProblemDetail[] };
    throw error;
  }
}

export function useSave(version: number | undefined) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (given: Save) => save(given, version),
    onSuccess: () => {
      for (const operation of ['listWorkflows', 'getWorkflow', 'listWorkflowVersions']) {
        void queries.invalidateQueries({ queryKey: [operation], refetchType: 'none' });
      }
    },
  });
}

export const testNode = (workflowId: string, nodeId: string, body: Arguments<'testNode'>['body']) =>
  client.testNode({ path: { workflowId, nodeId }, body });
