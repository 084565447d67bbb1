import { ActivityCancellationType, proxyLocalActivities } from '@temporalio/workflow';
import type { TurnActivities } from '../domain/agent/turnCalls.ts';
import type { ExecutionActivities } from '../domain/execution/activityCalls.ts';
import { summary } from '../domain/execution/summary.ts';
import type { TriggerActivities } from '../domain/execution/triggerCalls.ts';

/**
 * Local activities: they run in the worker of the workflow, without a task of their own, and read and write Postgres.
 * The Temporal UI shows the text beside each.
 */
export function local(text: string) {
  return proxyLocalActivities<ExecutionActivities & TriggerActivities & TurnActivities>({
    summary: summary(text),
    startToCloseTimeout: '1 minute',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { initialInterval: '200 milliseconds', maximumInterval: '5 seconds' },
  });
}
