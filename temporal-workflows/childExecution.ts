import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ActivityCancellationType,
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  type ChildWorkflowHandle,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  proxyActivities,
  startChild,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { ChildActivities, ChildStart } from '../domain/execution/childExecution.ts';
import { TERMINAL_STATUSES, type TerminalStatus } from '../domain/execution/status.ts';
import { summary } from '../domain/execution/summary.ts';
import { executionAttributes, fairShare, RUN_EXECUTION } from './names.ts';
import type { runExecution } from './runExecution.ts';

/** What becomes of the child when its parent ends before it, is cancelled or terminated. */
export type WhenParentEnds = 'cancel' | 'terminate' | 'abandon';

const CLOSE_POLICY = {
  cancel: ParentClosePolicy.REQUEST_CANCEL,
  terminate: ParentClosePolicy.TERMINATE,
  abandon: ParentClosePolicy.ABANDON,
} as const;

export interface ChildExecution {
  /** How it ended, once it has. Cancelling the scope in which it was started cancels it, unless it is abandoned. */
  ended(): Promise<TerminalStatus>;
}

const { awaitExecution } = proxyActivities<ChildActivities>({
  summary: 'Waits for the execution',
  // Tries leave no events: however long the execution takes, the history stays as short.
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: { initialInterval: '1 second', backoffCoefficient: 1 },
});

/**
 * Starts an accepted execution as a child; resolves when it has started. An accepted execution is always started, also
 * in a scope that is being cancelled: then it starts and is cancelled, and its row tells so. One that runs already
 * (the reconciler has started it) is waited for instead.
 */
export async function startChildExecution(start: ChildStart, whenParentEnds: WhenParentEnds): Promise<ChildExecution> {
  const outer = CancellationScope.current();
  const inner = new CancellationScope({ cancellable: true, parent: new CancellationScope({ cancellable: false }) });
  const onCancelled = (cancel: () => void) => {
    if (whenParentEnds !== 'abandon') outer.cancelRequested.catch(cancel);
  };
  try {
    const child = await inner.run(() => begin(start, whenParentEnds));
    onCancelled(() => inner.cancel());
    return { ended: () => endOf(child) };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    onCancelled(() => void inner.run(() => cancelOther(start.executionId)));
    const { executionId, owner } = start;
    return { ended: () => inner.run(() => awaitExecution({ workspaceId: owner.workspaceId, executionId })) };
  }
}

function begin({ executionId, name, args, owner }: ChildStart, whenParentEnds: WhenParentEnds) {
  return startChild<typeof runExecution>(RUN_EXECUTION, {
    workflowId: executionId,
    args: [args],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    staticSummary: summary(name),
    typedSearchAttributes: executionAttributes(owner),
    priority: fairShare(owner),
    parentClosePolicy: CLOSE_POLICY[whenParentEnds],
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  });
}

/** It may have ended meanwhile: then there is nothing to cancel. */
async function cancelOther(executionId: string): Promise<void> {
  await getExternalWorkflowHandle(executionId)
    .cancel()
    .catch(() => undefined);
}

async function endOf(child: ChildWorkflowHandle<typeof runExecution>): Promise<TerminalStatus> {
  try {
    return await child.result();
  } catch (error) {
    return statusOf(error);
  }
}

/** Of a child's failure: what runExecution threw, or what the engine did to it. */
function statusOf(error: unknown): TerminalStatus {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  if (cause instanceof ApplicationFailure) {
    return TERMINAL_STATUSES.find((status) => status === (cause as ApplicationFailure).type) ?? 'FAILED';
  }
  if (cause instanceof TimeoutFailure) return 'TIMED_OUT';
  if (cause instanceof CancelledFailure || cause instanceof TerminatedFailure) return 'CANCELLED';
  return 'FAILED';
}
