import { defineSearchAttributeKey } from '@temporalio/common';
import {
  ActivityCancellationType,
  CancellationScope,
  CancelledFailure,
  proxyLocalActivities,
  workflowInfo,
} from '@temporalio/workflow';
import type { TriggerActivities } from '../domain/execution/triggerCalls.ts';
import { startChildExecution } from './childExecution.ts';
import type { ScheduledRun } from './names.ts';

/** Set by the engine: the time that the schedule meant. */
const SCHEDULED_START = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

const { acceptScheduled } = proxyLocalActivities<TriggerActivities>({
  startToCloseTimeout: '1 minute',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '200 milliseconds', maximumInterval: '5 seconds' },
});

/**
 * One time of a schedule: accepts the execution and runs it as a child, to its end, so that the schedule's rule for
 * overlaps holds for the execution. Answers how it ended, or why it was refused; a failed execution is no failure of
 * the schedule.
 */
export async function runScheduled({ workspaceId, workflowId, overlap }: ScheduledRun): Promise<string> {
  const { startTime, typedSearchAttributes } = workflowInfo();
  const scheduledAt = (typedSearchAttributes.get(SCHEDULED_START) ?? startTime).toISOString();
  const firedAt = startTime.toISOString();
  // Not cancelled half done: an accepted execution is started, and then its row tells that it was cancelled.
  const accepted = await CancellationScope.nonCancellable(() =>
    acceptScheduled({ workspaceId, workflowId, scheduledAt, firedAt }),
  );
  if (accepted.kind === 'refused') return accepted.code;
  const child = await startChildExecution(accepted.start, overlap === 'terminateOther' ? 'terminate' : 'cancel');
  const status = await child.ended();
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('The scheduled run was cancelled');
  return status;
}
