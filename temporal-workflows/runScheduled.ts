import { defineSearchAttributeKey } from '@temporalio/common';
import { CancellationScope, CancelledFailure, workflowInfo } from '@temporalio/workflow';
import { startChildExecution } from './childExecution.ts';
import { local } from './localActivities.ts';
import type { ScheduledRun } from './names.ts';

const SCHEDULED_START = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

/**
 * Starts the execution of one scheduled time as a child and waits for its end, so that the schedule's overlap rule
 * covers it. Returns how it ended, or why it was refused. A failed execution does not fail the schedule's run.
 */
export async function runScheduled({ workspaceId, workflowId, overlap }: ScheduledRun): Promise<string> {
  const { startTime, typedSearchAttributes } = workflowInfo();
  const scheduledAt = (typedSearchAttributes.get(SCHEDULED_START) ?? startTime).toISOString();
  const firedAt = startTime.toISOString();
  // Not cancellable: an accepted execution is always started, and then its row shows the cancellation.
  const accepted = await CancellationScope.nonCancellable(() =>
    local('Accepts the execution').acceptScheduled({ workspaceId, workflowId, scheduledAt, firedAt }),
  );
  if (accepted.kind === 'refused') return accepted.code;
  const child = await startChildExecution(accepted.start, overlap === 'terminateOther' ? 'terminate' : 'cancel');
  const status = await child.ended();
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('The scheduled run was cancelled');
  return status;
}
