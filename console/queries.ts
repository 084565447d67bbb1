import { QueryClient } from '@tanstack/react-query';
import { isProblem } from 'perdure-client';

/** Of a refusal another try is the same; what the client retries by itself has been retried. */
export const QUERIES = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 300_000,
      retry: (failures, error) => failures < 2 && !(isProblem(error) && error.status > 0 && error.status < 500),
      retryDelay: (failures) => Math.min(1_000 * 2 ** failures, 10_000),
      refetchOnWindowFocus: true,
    },
  },
});
