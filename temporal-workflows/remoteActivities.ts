import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { ExecutionActivities } from '../domain/execution/activityCalls.ts';
import { summary } from '../domain/execution/summary.ts';

/** How long a worker may be silent before its action is given to another. */
const HEARTBEAT_TIMEOUT_MS = 10_000;
/** The activity keeps its own time; Temporal's is the net below. */
const TIMEOUT_MARGIN_MS = 30_000;
/** An action that takes its worker down with it is not tried for ever. */
const LOST_WORKER_ATTEMPTS = 10;

/** What any worker may run: an action on the world outside. The text stands beside it in the Temporal UI. */
export function remote(text: string, timeoutMs: number) {
  return proxyActivities<ExecutionActivities>({
    summary: summary(text),
    startToCloseTimeout: timeoutMs + TIMEOUT_MARGIN_MS,
    heartbeatTimeout: HEARTBEAT_TIMEOUT_MS,
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { initialInterval: '1 second', maximumInterval: '1 minute', maximumAttempts: LOST_WORKER_ATTEMPTS },
  });
}
