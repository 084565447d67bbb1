import { queryOptions } from '@tanstack/react-query';
import { client } from '../session.ts';

const SHOWN = 20;

/** Questions that wait for people, oldest first. */
export function openQuestions() {
  return queryOptions({
    queryKey: ['listPendingInputs'],
    queryFn: ({ signal }) => client.listPendingInputs({ query: { limit: SHOWN }, signal }),
  });
}
