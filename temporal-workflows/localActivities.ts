import { ActivityCancellationType, proxyLocalActivities } from '@temporalio/workflow';
import type { ExecutionActivities } from '../domain/execution/activityCalls.ts';
import type { TriggerActivities } from '../domain/execution/triggerCalls.ts';

/** What runs in the worker that has the workflow, without a task of its own: a read and a write of Postgres. */
export const local = proxyLocalActivities<ExecutionActivities & TriggerActivities>({
  startToCloseTimeout: '1 minute',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '200 milliseconds', maximumInterval: '5 seconds' },
});
