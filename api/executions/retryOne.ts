import type { RetryRequest } from '../../domain/execution/executionRetry.ts';
import { isTerminal } from '../../domain/execution/status.ts';
import { triggerOfRetry } from '../../domain/execution/triggerOfRetry.ts';
import { Problem } from '../../domain/problem.ts';
import { retrySelection } from '../../engine/executions/retrySelection.ts';
import type { RetryStart, RetryVersion } from '../../engine/executions/startRetry.ts';
import { type LiveRetry, readRetrySource } from '../../prisma/store/execution/readRetrySource.ts';
import { EXECUTION } from '../../prisma/store/execution/resource.ts';
import { notFound } from '../../prisma/store/readResource.ts';
import type { Services } from '../services.ts';

export async function retryOne(
  services: Services,
  workspaceId: string,
  executionId: string,
  { version = 'original', again = false, ...request }: RetryRequest & { version?: RetryVersion; again?: boolean },
  start: RetryStart,
): Promise<void> {
  const source = await readRetrySource(services.database, workspaceId, executionId);
  if (!source) throw notFound(EXECUTION);
  const { liveRetry } = source;
  // A repeated request finds its own, already accepted retry.
  if (liveRetry && liveRetry.id !== start.executionId && !(again && isTerminal(liveRetry.status))) {
    throw alreadyRetried(liveRetry, again);
  }
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
    again,
    prepare: async (before, after) => {
      const trigger = triggerOfRetry(source, request, before, after);
      const changed = request.input === undefined ? undefined : { parts: services, trigger };
      const keeping = await retrySelection(services, workspaceId, source, request, { before, after }, changed);
      return { trigger, keeping };
    },
  });
  if (typeof started === 'object') throw alreadyRetried(started, again);
  if (started === 'started') return;
  if (await readRetrySource(services.database, workspaceId, executionId)) {
    throw new Problem('RETRY_NOT_ALLOWED', 'The workflow of the execution was deleted');
  }
  throw notFound(EXECUTION);
}

function alreadyRetried({ id, status }: LiveRetry, again: boolean): Problem {
  const isOpen = !isTerminal(status);
  const advice = isOpen ? 'wait for its end or cancel it' : 'give again: true to retry the execution once more';
  const what = `The execution ${again ? 'still has' : 'has'} a retry that ${isOpen ? 'is open' : 'completed'}`;
  return new Problem('ALREADY_RETRIED', `${what}: ${advice}`, { members: { retryId: id } });
}
