import { QueryCache, QueryClient } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';
import { pause, untilThere } from '../../ui/load/liveness.ts';
import { isAwayProblem, isBusyProblem } from '../../ui/notices.tsx';

const BUSY_MS = 5_000;
const SAID_MS = 2_000;

/** Resolves when an unanswered or throttled request is worth another try. Undefined for a rejected one. */
function comesBack(error: unknown): Promise<unknown> | undefined {
  // Leaves people time to read the message, also if a proxy answers for the API.
  if (isAwayProblem(error)) return Promise.all([untilThere(), pause(SAID_MS)]);
  if (!isBusyProblem(error)) return undefined;
  const askedFor = isProblem(error) ? (error.retryAfterMs ?? 0) : 0;
  return pause(Math.max(askedFor, BUSY_MS));
}

const isPassing = ({ state: { error } }: { state: { error: unknown } }) => isAwayProblem(error) || isBusyProblem(error);

/** Retrying a rejected request is pointless. The client already retries unanswered and throttled ones. */
export const QUERIES: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, { queryKey }) =>
      void comesBack(error)?.then(() =>
        QUERIES.refetchQueries({ queryKey, exact: true, type: 'active', predicate: isPassing }),
      ),
  }),
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 300_000,
      retry: (failures, error) => failures < 2 && !(isProblem(error) && error.status !== 500),
      retryDelay: (failures) => Math.min(1_000 * 2 ** failures, 10_000),
      refetchOnWindowFocus: true,
    },
  },
});
