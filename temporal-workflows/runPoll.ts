import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { TriggerActivities } from '../domain/execution/triggerCalls.ts';
import type { PolledRun } from './names.ts';

const { pollTrigger } = proxyActivities<TriggerActivities>({
  summary: 'Looks for new items',
  // One look has its own, shorter time (POLL_TIMEOUT_MS); the rest is for starting what was found.
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '15 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
});

/** One look of a poll trigger. What it found is started by the activity; a failed look waits for the next time. */
export async function runPoll(run: PolledRun): Promise<string> {
  const { status, started, code } = await pollTrigger(run);
  return code === undefined ? `${status} ${started}` : `${status} ${code}`;
}
