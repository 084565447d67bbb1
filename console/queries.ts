import { QueryCache, QueryClient } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { untilThere } from './live/liveness.ts';
import { isAwayProblem } from './parts/problemText.ts';

const isUnanswered = ({ state }: { state: { error: unknown } }) => isAwayProblem(state.error);

/** Of a refusal another try is the same; what nobody answered was tried several times by the client, and is read once somebody does. */
export const QUERIES: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error) => {
      if (!isAwayProblem(error)) return;
      void untilThere().then(() => QUERIES.refetchQueries({ type: 'active', predicate: isUnanswered }));
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 300_000,
      retry: (failures, error) => failures < 2 && !(isProblem(error) && error.status < 500),
      retryDelay: (failures) => Math.min(1_000 * 2 ** failures, 10_000),
      refetchOnWindowFocus: true,
    },
  },
});
