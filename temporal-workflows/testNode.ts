import { ActivityCancellationType, ApplicationFailure, proxyActivities } from '@temporalio/workflow';
import type { NodeTestActivities } from '../domain/execution/nodeTest.ts';
import type { NodeTestRun } from './names.ts';
import { workerAnswer } from './workerAnswer.ts';

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
  const outcome = await runNodeTest(run);
  if (typeof outcome === 'string') return outcome;
  const { task } = outcome;
  if (!task.argument) throw ApplicationFailure.nonRetryable('The test has no argument for its worker');
  const { label: text, testId: key, timeoutMs: wholeTimeoutMs } = run;
  const worked = await workerAnswer({ text, key, parentId: key, task, argument: task.argument, wholeTimeoutMs });
  const settled = await runNodeTest({ ...run, worked });
  if (typeof settled !== 'string') throw ApplicationFailure.nonRetryable('The test has asked for its worker again');
  return settled;
}
