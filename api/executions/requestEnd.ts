import { type ExecutionStatus, isTerminal } from '../../domain/execution/status.ts';
import { type EndRequest, endOnRequest } from '../../engine/executions/endOnRequest.ts';
import { readExecutionResult } from '../../prisma/store/execution/readSnapshot.ts';
import { EXECUTION } from '../../prisma/store/execution/resource.ts';
import { notFound } from '../../prisma/store/readResource.ts';
import type { Services } from '../services.ts';
import { awaitChange } from './awaitChange.ts';

/** Waits for the end, that of the Temporal workflow included, at most CANCEL_WAIT_MS; not if the engine is away. */
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
    if (outcome === 'absent') throw notFound(EXECUTION);
    // It may have ended before we began to listen.
    const now = await statusOf(services, request);
    if (outcome !== 'delivered') return { executionId, status: now ?? before };
    if (now === undefined || !isTerminal(now)) await ended.change;
    const status = (await statusOf(services, request)) ?? before;
    if (isTerminal(status)) await engine.untilEnded(executionId, config.TEMPORAL_CALL_TIMEOUT_MS);
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
