import {
  ActivityCancellationType,
  CancellationScope,
  getExternalWorkflowHandle,
  proxyActivities,
} from '@temporalio/workflow';
import type { TurnActivities } from '../domain/agent/turnCalls.ts';
import type { ChildActivities } from '../domain/execution/childExecution.ts';

/** The Temporal UI shows `text` next to the activity. */
export function waitingActivities(text: string) {
  return proxyActivities<ChildActivities & Pick<TurnActivities, 'awaitTurn'>>({
    summary: text,
    // Retries leave no events, so the length of the history does not depend on the wait.
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '10 seconds',
    cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
    retry: { initialInterval: '1 second', backoffCoefficient: 1 },
  });
}

/** The returned function calls `ended` even in a cancelled scope. A cancellation calls `cancel`, if given. */
export function waitForRunning<Result>(
  cancel: (() => Promise<void>) | undefined,
  ended: () => Promise<Result>,
): () => Promise<Result> {
  const inner = new CancellationScope({ cancellable: false });
  if (cancel) CancellationScope.current().cancelRequested.catch(() => void inner.run(cancel));
  return () => inner.run(ended);
}

/** Has no effect if the workflow has ended. */
export async function cancelRunning(workflowId: string): Promise<void> {
  await getExternalWorkflowHandle(workflowId)
    .cancel()
    .catch(() => undefined);
}
