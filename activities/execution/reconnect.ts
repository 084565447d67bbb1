import { Context } from '@temporalio/activity';
import type { Config } from '../../config.ts';
import type { ActionTask } from '../../domain/execution/activityCalls.ts';
import type { Failure } from '../../domain/execution/outcome.ts';
import { forgetWait, noteWait } from '../../prisma/store/execution/stepWaits.ts';
import { NEEDS_RECONNECT } from '../connections/openConnection.ts';
import type { ActivityServices } from '../services.ts';
import { type Attempt, type MissedConnection, type Settlement, settleFailedStep } from './stepSettlement.ts';
import { whileDatabaseAway } from './whileDatabaseAway.ts';

export function isMissed(failure: Failure | undefined, connectionId: string | undefined): MissedConnection | undefined {
  return failure?.code === NEEDS_RECONNECT && connectionId !== undefined ? { connectionId, failure } : undefined;
}

/** Tolerance for the clocks of Temporal and the worker. */
const CLOCKS_MS = 1_000;

/** Returns how long a step waits for its connection: the node's setting, otherwise the deployment's. */
export function reconnectTimeoutMs(
  { onReconnectTimeoutMs }: { onReconnectTimeoutMs?: number | undefined },
  { RECONNECT_TIMEOUT_MS }: Pick<Config, 'RECONNECT_TIMEOUT_MS'>,
): number {
  return onReconnectTimeoutMs ?? RECONNECT_TIMEOUT_MS;
}

/**
 * Makes the step wait for its connection without occupying a worker slot. A signal to its workflow or the timeout ends
 * the wait; then the same attempt begins again.
 */
export async function settleMissed(
  services: ActivityServices,
  task: ActionTask,
  attempt: Attempt,
  { record }: Settlement,
  { connectionId, failure }: MissedConnection,
  signal: AbortSignal,
): Promise<Settlement> {
  const { database, config, log } = services;
  const { workspaceId, executionId, nodeId, iteration = '', reconnectUntil } = task;
  const { node } = attempt.compiled;
  const until = reconnectUntil ?? Date.now() + reconnectTimeoutMs(node, config);
  if (reconnectUntil !== undefined && Date.now() + CLOCKS_MS >= until) {
    const message = `${failure.message}: nobody has in time`;
    return settleFailedStep(attempt, { code: 'RECONNECT_TIMEOUT', message, retryable: false });
  }
  const { workflowId = executionId } = Context.current().info.workflowExecution ?? {};
  const waiting = task.host ?? workflowId;
  const host = waiting === executionId ? null : waiting;
  await whileDatabaseAway(signal, log, () =>
    noteWait(database, workspaceId, { executionId, nodeId, iteration, host }, connectionId),
  );
  const { stoppedAt: _, ...open } = record;
  return {
    record: { ...open, status: 'WAITING' },
    outcome: { nodeId, status: 'RECONNECT', attempt: task.attempt, until },
  };
}

export async function endWait(services: ActivityServices, task: ActionTask, signal: AbortSignal): Promise<void> {
  const { workspaceId, executionId, nodeId, iteration = '', reconnectUntil } = task;
  if (reconnectUntil === undefined) return;
  const { database, log } = services;
  await whileDatabaseAway(signal, log, () => forgetWait(database, workspaceId, { executionId, nodeId, iteration }));
}
