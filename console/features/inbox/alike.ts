import { isProblem, nextCursor } from 'perdure-client';
import { isEqualJson } from '../../../domain/isEqualJson.ts';
import { client } from '../../app/session/session.ts';
import type { OpenQuestion } from '../executions/queries/executions.ts';
import type { ListedQuestion } from './questions.ts';

/** What makes questions alike: asked by the same node of the same workflow, with the same fields. */
export interface Alike {
  workflowId: string;
  nodeId: string;
  fields: OpenQuestion['fields'];
}

/** More are answered in a second round. */
export const MAX_ALIKE = 1_000;
const PAGE = 100;

export function isAlike({ workflowId, nodeId, fields }: Alike, other: ListedQuestion): boolean {
  return other.workflow?.id === workflowId && other.nodeId === nodeId && isEqualJson(other.fields, fields);
}

/** All open questions of the kind that the person may answer now, the oldest first; at most MAX_ALIKE. */
export async function alikeQuestions(kind: Alike, signal: AbortSignal): Promise<ListedQuestion[]> {
  const found: ListedQuestion[] = [];
  let cursor: string | undefined;
  do {
    const query = { filterBy: 'mine:true', limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const answer = await client.send('listPendingInputs', { query, signal });
    const rows = (await answer.json()) as ListedQuestion[];
    found.push(...rows.filter((row) => isAlike(kind, row)));
    cursor = nextCursor(answer);
  } while (cursor !== undefined && found.length < MAX_ALIKE);
  return found.slice(0, MAX_ALIKE);
}

/** Answers one question as who the person is; the token of its link says that it was opened by that. */
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

/** One after the other, each by a request of its own; what the API refuses of one keeps none of the others. Rejects where the API is away. */
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
