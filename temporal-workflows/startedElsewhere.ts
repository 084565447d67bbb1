import {
  ActivityCancellationType,
  CancellationScope,
  getExternalWorkflowHandle,
  proxyActivities,
} from '@temporalio/workflow';
import type { TurnActivities } from '../domain/agent/turnCalls.ts';
import type { ChildActivities } from '../domain/execution/childExecution.ts';

/** Activities that wait for the end of such a workflow. The text stands beside them in the Temporal UI. */
export function waiting(text: string) {
  return proxyActivities<ChildActivities & Pick<TurnActivities, 'awaitTurn'>>({
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
 * `cancel`, where there is one, cancels the other with it.
 */
export function startedElsewhere<Result>(
  cancel: (() => Promise<void>) | undefined,
  ended: () => Promise<Result>,
): () => Promise<Result> {
  const inner = new CancellationScope({ cancellable: false });
  if (cancel) CancellationScope.current().cancelRequested.catch(() => void inner.run(cancel));
  return () => inner.run(ended);
}

/** It may have ended meanwhile: then there is nothing to cancel. */
export async function cancelOther(workflowId: string): Promise<void> {
  await getExternalWorkflowHandle(workflowId)
    .cancel()
    .catch(() => undefined);
}
