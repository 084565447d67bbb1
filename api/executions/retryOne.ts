import type { RetryRequest } from '../../domain/execution/executionRetry.ts';
import { isTerminal } from '../../domain/execution/status.ts';
import { triggerOfRetry } from '../../domain/execution/triggerOfRetry.ts';
import { Problem } from '../../domain/problem.ts';
import { keepingOf } from '../../engine/executions/keepingOf.ts';
import type { RetryStart, RetryVersion } from '../../engine/executions/startRetry.ts';
import { readRetrySource } from '../../prisma/store/execution/readRetrySource.ts';
import { EXECUTION } from '../../prisma/store/execution/resource.ts';
import { notFound } from '../../prisma/store/readResource.ts';
import type { Services } from '../services.ts';

/** Starts a new execution from an ended one. Throws a Problem if the retry is not allowed. */
export async function retryOne(
  services: Services,
  workspaceId: string,
  executionId: string,
  { version = 'original', ...request }: RetryRequest & { version?: RetryVersion },
  start: RetryStart,
): Promise<void> {
  const source = await readRetrySource(services.database, workspaceId, executionId);
  if (!source) throw notFound(EXECUTION);
  if (!isTerminal(source.status)) {
    throw new Problem('RETRY_NOT_ALLOWED', `The execution is ${source.status}: cancel it, or retry it after its end`);
  }
  if (source.workflowId === null && version === 'latest') {
    throw new Problem('RETRY_NOT_ALLOWED', 'An ad-hoc run has one version only: expected version "original"');
  }
  const started = await services.starter.startRetry(workspaceId, {
    source,
    version,
    start,
    prepare: async (before, after) => ({
      trigger: triggerOfRetry(source, request, before, after),
      keeping: await keepingOf(services, workspaceId, source, request, { before, after }),
    }),
  });
  if (started === 'started') return;
  if (await readRetrySource(services.database, workspaceId, executionId)) {
    throw new Problem('RETRY_NOT_ALLOWED', 'The workflow of the execution was deleted');
  }
  throw notFound(EXECUTION);
}
