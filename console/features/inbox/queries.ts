import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type Answer, nextCursor } from 'perdure-client';
import { pagesOf } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';

const SHOWN = 20;

const KEY = ['listPendingInputs'] as const;

export type ListedQuestion = Answer<'listPendingInputs'>[number];

export const refreshQuestions = (queries: QueryClient) => queries.invalidateQueries({ queryKey: KEY });

export const refreshQuestionOf = (queries: QueryClient, executionId: string) =>
  queries.invalidateQueries({ queryKey: ['getExecution', executionId] });

/** Up to 20 open questions, oldest first: those that the user may answer, or those for others. */
export function openQuestions(whose: 'mine' | 'of others') {
  return queryOptions({
    queryKey: [...KEY, whose],
    queryFn: async ({ signal }) => {
      const query = { limit: SHOWN, filterBy: `mine:${whose === 'mine'}` };
      const answer = await client.send('listPendingInputs', { query, signal });
      return { questions: (await answer.json()) as ListedQuestion[], hasMore: nextCursor(answer) !== undefined };
    },
  });
}

export const countOf = (count: number, hasMore: boolean) => `${count}${hasMore ? '+' : ''}`;

export const questionPages = (mine: boolean) =>
  pagesOf('listPendingInputs', mine ? { query: { filterBy: 'mine:true' } } : { query: {} });

const ABOUT = 'name,executionNumber,status,labels,startedBy,nodes,executionPath,pendingInput,workflow';

export function questionContext(executionId: string) {
  return queryOptions({
    queryKey: ['getExecution', executionId, 'question'],
    queryFn: ({ signal }) => client.getExecution({ path: { executionId }, query: { expansion: ABOUT }, signal }),
  });
}
