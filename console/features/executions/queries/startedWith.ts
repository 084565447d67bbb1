import { queryOptions } from '@tanstack/react-query';
import { client } from '../../../app/session/session.ts';
import type { ExecutionWhole } from './executions.ts';

/** Secrets are masked. */
export function startedWith({ id, input }: ExecutionWhole) {
  return queryOptions({
    queryKey: ['getExecutionInput', id],
    queryFn: async ({ signal }): Promise<unknown> =>
      (input ?? (await client.getExecutionInput({ path: { executionId: id }, signal }))).trigger,
    staleTime: Number.POSITIVE_INFINITY,
  });
}
