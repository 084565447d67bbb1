import {
  ApplicationFailure,
  CancelledFailure,
  type ChildWorkflowHandle,
  ParentClosePolicy,
  startChild,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { ChildStart } from '../domain/execution/childExecution.ts';
import { TERMINAL_STATUSES, type TerminalStatus } from '../domain/execution/status.ts';
import { executionMemo, executionTitle, summary } from '../domain/execution/summary.ts';
import { type StartedChild, startChildOnce } from './childStart.ts';
import { executionAttributes, fairShare, RUN_EXECUTION, type RunExecution } from './names.ts';
import { cancelRunning, waitForRunning, waitingActivities } from './waitForRunning.ts';

export type WhenParentEnds = 'cancel' | 'terminate' | 'abandon';

const CLOSE_POLICY = {
  cancel: ParentClosePolicy.REQUEST_CANCEL,
  terminate: ParentClosePolicy.TERMINATE,
  abandon: ParentClosePolicy.ABANDON,
} as const;

const { awaitExecution } = waitingActivities('Waits for the execution');

/** Starts an accepted execution as a child, or waits for a running one. The scope cancels it unless it is abandoned. */
export function startChildExecution(
  start: ChildStart,
  whenParentEnds: WhenParentEnds,
): Promise<StartedChild<TerminalStatus>> {
  const isCancelledToo = whenParentEnds !== 'abandon';
  return startChildOnce({
    begin: () => begin(start, whenParentEnds),
    isCancelledToo,
    endOf: (child) => endOf(child, start),
    endElsewhere: () =>
      waitForRunning(isCancelledToo ? () => cancelRunning(start.executionId) : undefined, () => endOfRow(start)),
  });
}

function begin({ executionId, name, number, args, owner }: ChildStart, whenParentEnds: WhenParentEnds) {
  return startChild<RunExecution>(RUN_EXECUTION, {
    workflowId: executionId,
    args: [args],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    staticSummary: summary(executionTitle({ name, number })),
    memo: executionMemo({ name, number }),
    typedSearchAttributes: executionAttributes(owner),
    priority: fairShare(owner),
    parentClosePolicy: CLOSE_POLICY[whenParentEnds],
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  });
}

async function endOf(child: ChildWorkflowHandle<RunExecution>, start: ChildStart): Promise<TerminalStatus> {
  try {
    return await child.result();
  } catch (error) {
    const cause = innermost(error);
    // The row has the cause: CANCELLED by a person, or FAILED by the server.
    return cause instanceof TerminatedFailure ? endOfRow(start) : statusOf(cause);
  }
}

function endOfRow({ executionId, owner }: ChildStart): Promise<TerminalStatus> {
  return awaitExecution({ workspaceId: owner.workspaceId, executionId });
}

function innermost(error: unknown): unknown {
  let cause = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  return cause;
}

function statusOf(cause: unknown): TerminalStatus {
  if (cause instanceof ApplicationFailure) {
    return TERMINAL_STATUSES.find((status) => status === (cause as ApplicationFailure).type) ?? 'FAILED';
  }
  if (cause instanceof TimeoutFailure) return 'TIMED_OUT';
  if (cause instanceof CancelledFailure) return 'CANCELLED';
  return 'FAILED';
}
