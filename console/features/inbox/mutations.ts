import { queryOptions } from '@tanstack/react-query';
import { isProblem, nextCursor } from 'perdure-client';
import { isEqualJson } from '../../../domain/isEqualJson.ts';
import { client } from '../../app/session/session.ts';
import type { OpenQuestion } from '../executions/queries/executions.ts';
import type { ListedQuestion } from './queries.ts';

/** The same node of a workflow, asking with the same fields. */
export interface QuestionKind {
  workflowId: string;
  nodeId: string;
  fields: OpenQuestion['fields'];
}

export const MAX_SAME_KIND = 1_000;
const PAGE = 100;

export function isSameKind({ workflowId, nodeId, fields }: QuestionKind, other: ListedQuestion): boolean {
  return other.workflow?.id === workflowId && other.nodeId === nodeId && isEqualJson(other.fields, fields);
}

/** The open questions of a kind that the user may answer, oldest first; at most MAX_SAME_KIND. */
export function sameKindQuestions(kind: QuestionKind) {
  return queryOptions({
    queryKey: ['listPendingInputs', 'same kind', kind.workflowId, kind.nodeId],
    queryFn: ({ signal }) => readSameKind(kind, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

async function readSameKind(kind: QuestionKind, signal: AbortSignal): Promise<ListedQuestion[]> {
  const found: ListedQuestion[] = [];
  let cursor: string | undefined;
  do {
    const query = { filterBy: 'mine:true', limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const answer = await client.send('listPendingInputs', { query, signal });
    const rows = (await answer.json()) as ListedQuestion[];
    found.push(...rows.filter((row) => isSameKind(kind, row)));
    cursor = nextCursor(answer);
  } while (cursor !== undefined && found.length < MAX_SAME_KIND);
  return found.slice(0, MAX_SAME_KIND);
}

/** Answers a question as the logged-in user. The token of its link records that the link was used. */
export function answerQuestion(
  { executionId, nodeId, stepId, link }: Pick<ListedQuestion, 'executionId' | 'nodeId' | 'stepId' | 'link'>,
  values: Record<string, unknown>,
  signal?: AbortSignal,
) {
  const token = new URL(link, location.origin).searchParams.get('token');
  return client.submitInput({
    path: { executionId, nodeId },
    query: { stepId, ...(token === null ? {} : { token }) },
    body: values,
    ...(signal === undefined ? {} : { signal }),
  });
}

export interface AnsweredAll {
  accepted: number;
  failed: { question: ListedQuestion; code: string; message: string }[];
}

/** Answers questions one by one. A refused answer does not stop the others; rejects if the API is unreachable. */
export async function answerAll(
  questions: readonly ListedQuestion[],
  values: Record<string, unknown>,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (progress: AnsweredAll) => void },
): Promise<void> {
  const total: AnsweredAll = { accepted: 0, failed: [] };
  for (const question of questions) {
    signal.throwIfAborted();
    try {
      await answerQuestion(question, values, signal);
      total.accepted += 1;
    } catch (error) {
      if (!isProblem(error) || error.status === 0) throw error;
      total.failed.push({ question, code: error.code, message: error.detail });
    }
    onProgress({ accepted: total.accepted, failed: [...total.failed] });
  }
}
