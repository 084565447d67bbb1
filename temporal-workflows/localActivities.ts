import { ActivityCancellationType, proxyLocalActivities } from '@temporalio/workflow';
import type { TurnActivities } from '../domain/agent/turnCalls.ts';
import type { ExecutionActivities } from '../domain/execution/activityCalls.ts';
import { summary } from '../domain/execution/summary.ts';
import type { TriggerActivities } from '../domain/execution/triggerCalls.ts';

/**
 * What runs in the worker that has the workflow, without a task of its own: a read and a write of Postgres. The text
 * stands beside it in the Temporal UI.
 */
export function local(text: string) {
  return proxyLocalActivities<ExecutionActivities & TriggerActivities & TurnActivities>({
    summary: summary(text),
    startToCloseTimeout: '1 minute',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { initialInterval: '200 milliseconds', maximumInterval: '5 seconds' },
  });
}
