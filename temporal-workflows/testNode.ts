import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { NodeTestActivities } from '../domain/execution/nodeTest.ts';
import type { NodeTestRun } from './names.ts';

/** The activity keeps its own time; Temporal's is the net below. */
const TIMEOUT_MARGIN_MS = 30_000;

/** One attempt of one node, for a waiting caller. The answer is in Postgres. */
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
