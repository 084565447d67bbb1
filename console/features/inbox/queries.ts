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

/** Keeps `filterBy` under its limit of 4,000 characters. */
const MAX_IDS = 100;
/** More than MAX_IDS, since an execution may ask several questions at once. */
const MAX_QUESTIONS = 200;

interface Waiting {
  executionId: string;
  resolve: (title: string | null) => void;
  reject: (error: unknown) => void;
}

let waiting: Waiting[] = [];

/** The title of an execution's oldest open question, or null. Rows that render together share one request. */
export function questionTitle(executionId: string) {
  return queryOptions({
    queryKey: ['listPendingInputs', 'title', executionId],
    queryFn: () =>
      new Promise<string | null>((resolve, reject) => {
        if (waiting.length === 0) setTimeout(() => void readTogether());
        waiting.push({ executionId, resolve, reject });
      }),
  });
}

async function readTogether(): Promise<void> {
  const asking = waiting;
  waiting = [];
  for (let from = 0; from < asking.length; from += MAX_IDS) {
    const some = asking.slice(from, from + MAX_IDS);
    try {
      const titles = await titlesOf(some.map(({ executionId }) => executionId));
      for (const { executionId, resolve } of some) resolve(titles.get(executionId) ?? null);
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }
}

/** Returns the title of each execution's oldest question. Executions that did not fit on the page are read again. */
async function titlesOf(executionIds: readonly string[]): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  for (let left = executionIds; left.length > 0; left = left.filter((id) => !titles.has(id))) {
    const query = { filterBy: `executionId:${left.join('|')}`, limit: MAX_QUESTIONS };
    const answer = await client.send('listPendingInputs', { query });
    for (const { executionId, title, label } of (await answer.json()) as ListedQuestion[]) {
      if (!titles.has(executionId)) titles.set(executionId, title ?? label);
    }
    if (nextCursor(answer) === undefined) break;
  }
  return titles;
}
