import { queryOptions } from '@tanstack/react-query';
import { type Answer, nextCursor } from 'perdure-client';
import { client } from '../session.ts';
import { pagesOf } from './pages.ts';

const SHOWN = 20;

/** A question as the list of all questions has it. */
export type ListedQuestion = Answer<'listPendingInputs'>[number];

/** Questions that wait for people, oldest first. */
export function openQuestions() {
  return queryOptions({
    queryKey: ['listPendingInputs'],
    queryFn: ({ signal }) => client.listPendingInputs({ query: { limit: SHOWN }, signal }),
  });
}

/** How many wait: up to 20, and whether there are more. */
export function questionCount() {
  return queryOptions({
    queryKey: ['listPendingInputs', 'count'],
    queryFn: async ({ signal }) => {
      const answer = await client.send('listPendingInputs', { query: { limit: SHOWN }, signal });
      const { length } = (await answer.json()) as unknown[];
      return { count: length, isBounded: nextCursor(answer) !== undefined };
    },
  });
}

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
