import { queryOptions } from '@tanstack/react-query';
import type { components } from 'perdure-client';

export type Readiness = components['schemas']['Readiness'];

const EVERY_MS = 10_000;

/** Reads which parts of the deployment answer. A 503 has the same body as a 200, and is no error here. */
export function readiness() {
  return queryOptions({
    queryKey: ['getReadiness'],
    queryFn: async ({ signal }): Promise<Readiness> => {
      const answer = await fetch('/readyz', { signal });
      return (await answer.json()) as Readiness;
    },
    refetchInterval: EVERY_MS,
  });
}
