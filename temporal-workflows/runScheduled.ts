import { defineSearchAttributeKey } from '@temporalio/common';
import { CancellationScope, CancelledFailure, workflowInfo } from '@temporalio/workflow';
import { startChildExecution } from './childExecution.ts';
import { local } from './localActivities.ts';
import type { ScheduledRun } from './names.ts';

/** Set by the engine: the time that the schedule meant. */
const SCHEDULED_START = defineSearchAttributeKey('TemporalScheduledStartTime', 'DATETIME');

/**
 * One time of a schedule: accepts the execution and runs it as a child, to its end, so that the schedule's rule for
 * overlaps holds for the execution. Answers how it ended, or why it was refused; a failed execution is no failure of
 * the schedule.
 */
export async function runScheduled({ workspaceId, workflowId, overlap }: ScheduledRun): Promise<string> {
  const { startTime, typedSearchAttributes } = workflowInfo();
  const scheduledAt = (typedSearchAttributes.get(SCHEDULED_START) ?? startTime).toISOString();
  const firedAt = startTime.toISOString();
  // Not cancelled half done: an accepted execution is started, and then its row shows that it was cancelled.
  const accepted = await CancellationScope.nonCancellable(() =>
    local('Accepts the execution').acceptScheduled({ workspaceId, workflowId, scheduledAt, firedAt }),
  );
  if (accepted.kind === 'refused') return accepted.code;
  const child = await startChildExecution(accepted.start, overlap === 'terminateOther' ? 'terminate' : 'cancel');
  const status = await child.ended();
  if (CancellationScope.current().consideredCancelled) throw new CancelledFailure('The scheduled run was cancelled');
  return status;
}
