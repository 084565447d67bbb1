import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { TriggerActivities } from '../domain/execution/triggerCalls.ts';
import type { PolledRun } from './names.ts';

const { pollTrigger } = proxyActivities<TriggerActivities>({
  summary: 'Looks for new items',
  // One poll has its own, shorter timeout (POLL_TIMEOUT_MS); the rest is for starting executions.
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** Polls a trigger once. The activity starts an execution for each new item; a failed poll waits for the next time. */
export async function runPoll(run: PolledRun): Promise<string> {
  const { status, started, code } = await pollTrigger(run);
  return code === undefined ? `${status} ${started}` : `${status} ${code}`;
}
