import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { NodeTestActivities } from '../domain/execution/nodeTest.ts';
import type { NodeTestRun } from './names.ts';

/** The activity enforces its own timeout; Temporal's is only a safety net. */
const TIMEOUT_MARGIN_MS = 30_000;

export async function testNode(run: NodeTestRun): Promise<string> {
  const { runNodeTest } = proxyActivities<NodeTestActivities>({
    summary: run.label,
    startToCloseTimeout: run.timeoutMs + TIMEOUT_MARGIN_MS,
    heartbeatTimeout: '10 seconds',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { maximumAttempts: 1 },
  });
  return runNodeTest(run);
}
