import { queryOptions } from '@tanstack/react-query';
import { type Answer, nextCursor } from 'perdure-client';
import { pagesOf } from '../../app/api/pages.ts';
import { client } from '../../app/session/session.ts';

const SHOWN = 20;

/** A question as the list of all questions has it. */
export type ListedQuestion = Answer<'listPendingInputs'>[number];

/** Open questions, oldest first: those that the person may answer, or those that wait for others. 20 at most, and whether there are more. */
export function openQuestions(whose: 'mine' | 'of others') {
  return queryOptions({
    queryKey: ['listPendingInputs', whose],
    queryFn: async ({ signal }) => {
      const query = { limit: SHOWN, filterBy: `mine:${whose === 'mine'}` };
      const answer = await client.send('listPendingInputs', { query, signal });
      return { questions: (await answer.json()) as ListedQuestion[], hasMore: nextCursor(answer) !== undefined };
    },
  });
}

/** `20+` where there are more than were read. */
export const countOf = (count: number, hasMore: boolean) => `${count}${hasMore ? '+' : ''}`;

/** All of them, or those that the person may answer. */
export const questionPages = (mine: boolean) =>
  pagesOf('listPendingInputs', mine ? { query: { filterBy: 'mine:true' } } : { query: {} });

const ABOUT = 'name,executionNumber,status,labels,startedBy,nodes,executionPath,pendingInput,workflow';

/** The execution that asks: what it is about, who began it, what was answered before, and whether it still asks. */
export function questionContext(executionId: string) {
  return queryOptions({
    queryKey: ['getExecution', executionId, 'question'],
    queryFn: ({ signal }) => client.getExecution({ path: { executionId }, query: { expansion: ABOUT }, signal }),
  });
}
