import {
  ActivityCancellationType,
  CancellationScope,
  getExternalWorkflowHandle,
  proxyActivities,
} from '@temporalio/workflow';
import type { TurnActivities } from '../domain/agent/turnCalls.ts';
import type { ChildActivities } from '../domain/execution/childExecution.ts';

/** Activities that wait for the end of a running workflow. The Temporal UI shows the text beside them. */
export function waitingActivities(text: string) {
  return proxyActivities<ChildActivities & Pick<TurnActivities, 'awaitTurn'>>({
    summary: text,
    // Tries leave no events: the length of the history does not depend on the wait.
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '10 seconds',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { initialInterval: '1 second', backoffCoefficient: 1 },
  });
}

/**
 * Returns a function that waits for a workflow which another run has started: it calls `ended` even if the scope is
 * cancelled; `cancel`, if given, then cancels the other workflow too.
 */
export function waitForRunning<Result>(
  cancel: (() => Promise<void>) | undefined,
  ended: () => Promise<Result>,
): () => Promise<Result> {
  const inner = new CancellationScope({ cancellable: false });
  if (cancel) CancellationScope.current().cancelRequested.catch(() => void inner.run(cancel));
  return () => inner.run(ended);
}

/** Cancels the other workflow; no effect if it has ended meanwhile. */
export async function cancelRunning(workflowId: string): Promise<void> {
  await getExternalWorkflowHandle(workflowId)
    .cancel()
    .catch(() => undefined);
}
