import {
  ActivityCancellationType,
  CancellationScope,
  getExternalWorkflowHandle,
  proxyActivities,
} from '@temporalio/workflow';
import type { ChildActivities } from '../domain/execution/childExecution.ts';

/** Activities that wait for the end of such a workflow. The text stands beside them in the Temporal UI. */
export function waiting(text: string) {
  return proxyActivities<ChildActivities>({
    summary: text,
    // Tries leave no events: however long it takes, the history stays as short.
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '10 seconds',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { initialInterval: '1 second', backoffCoefficient: 1 },
  });
}

/**
 * How to wait for a workflow that this run has not started itself: `ended` is run also where the scope is cancelled, and
 * with `cancels` the other one is cancelled with it.
 */
export function startedElsewhere<Result>(
  workflowId: string,
  cancels: boolean,
  ended: () => Promise<Result>,
): () => Promise<Result> {
  const inner = new CancellationScope({ cancellable: false });
  if (cancels) {
    CancellationScope.current().cancelRequested.catch(() => void inner.run(() => cancelOther(workflowId)));
  }
  return () => inner.run(ended);
}

/** It may have ended meanwhile: then there is nothing to cancel. */
async function cancelOther(workflowId: string): Promise<void> {
  await getExternalWorkflowHandle(workflowId)
    .cancel()
    .catch(() => undefined);
}
