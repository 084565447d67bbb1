import { type ExecutionStatus, isTerminal } from '../../domain/execution/status.ts';
import { EngineAway } from '../../engine/engineAway.ts';
import { type EndRequest, endOnRequest } from '../../engine/executions/endOnRequest.ts';
import { readExecutionResult } from '../../prisma/store/execution/readSnapshot.ts';
import { EXECUTION } from '../../prisma/store/execution/resource.ts';
import { notFound } from '../../prisma/store/readResource.ts';
import type { Services } from '../services.ts';
import { awaitChange } from './awaitChange.ts';

/**
 * Cancels or terminates an execution and waits for its end, at most CANCEL_WAIT_MS; returns the status at that time. An
 * open execution is not reported as ended before its Temporal workflow has ended too.
 */
export async function requestEnd(
  services: Services,
  request: EndRequest,
  signal: AbortSignal,
): Promise<{ executionId: string; status: ExecutionStatus }> {
  const { executionId } = request;
  const before = await statusOf(services, request);
  if (before === undefined) throw notFound(EXECUTION);
  if (isTerminal(before)) return { executionId, status: before };
  const { feed, engine, config } = services;
  const ended = awaitChange(
    feed,
    executionId,
    ({ status }) => isTerminal(status),
    config.CANCEL_WAIT_MS,
    signal,
    'following',
  );
  try {
    await ended.begun();
    const outcome = await endOnRequest(services, request);
    if (outcome === 'unstarted') return { executionId, status: 'CANCELLED' };
    // It may have ended before we began to listen.
    const now = await statusOf(services, request);
    if (now === undefined || !isTerminal(now)) await ended.change;
    const status = (await statusOf(services, request)) ?? before;
    const hasEnded = !isTerminal(status) || (await engine.untilEnded(executionId, config.TEMPORAL_CALL_TIMEOUT_MS));
    if (!hasEnded) throw new EngineAway(new Error('The Temporal workflow did not end in time'));
    return { executionId, status };
  } finally {
    ended.release();
  }
}

async function statusOf(
  { database }: Services,
  { workspaceId, executionId }: EndRequest,
): Promise<ExecutionStatus | undefined> {
  return (await readExecutionResult(database, workspaceId, executionId))?.status;
}
