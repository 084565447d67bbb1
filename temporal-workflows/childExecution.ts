import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  type ChildWorkflowHandle,
  ParentClosePolicy,
  startChild,
  TerminatedFailure,
  TimeoutFailure,
} from '@temporalio/workflow';
import type { ChildStart } from '../domain/execution/childExecution.ts';
import { TERMINAL_STATUSES, type TerminalStatus } from '../domain/execution/status.ts';
import { summary } from '../domain/execution/summary.ts';
import { executionAttributes, fairShare, RUN_EXECUTION } from './names.ts';
import type { runExecution } from './runExecution.ts';
import { startedElsewhere, waiting } from './startedElsewhere.ts';

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

const { awaitExecution } = waiting('Waits for the execution');

/**
 * Starts an accepted execution as a child; resolves when it has started. An accepted execution is always started, also
 * in a scope that is being cancelled: then it starts and is cancelled, and its row tells so. One that runs already
 * (the reconciler has started it) is waited for instead.
 */
export async function startChildExecution(start: ChildStart, whenParentEnds: WhenParentEnds): Promise<ChildExecution> {
  const outer = CancellationScope.current();
  const inner = new CancellationScope({ cancellable: true, parent: new CancellationScope({ cancellable: false }) });
  try {
    const child = await inner.run(() => begin(start, whenParentEnds));
    if (whenParentEnds !== 'abandon') outer.cancelRequested.catch(() => inner.cancel());
    return { ended: () => endOf(child, start) };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return { ended: startedElsewhere(start.executionId, whenParentEnds !== 'abandon', () => endOfRow(start)) };
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

async function endOf(child: ChildWorkflowHandle<typeof runExecution>, start: ChildStart): Promise<TerminalStatus> {
  try {
    return await child.result();
  } catch (error) {
    const cause = innermost(error);
    // By whom, its row tells: a person (CANCELLED), or the server (FAILED).
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

/** Of a child's failure: what runExecution threw, or what the engine did to it. */
function statusOf(cause: unknown): TerminalStatus {
  if (cause instanceof ApplicationFailure) {
    return TERMINAL_STATUSES.find((status) => status === (cause as ApplicationFailure).type) ?? 'FAILED';
  }
  if (cause instanceof TimeoutFailure) return 'TIMED_OUT';
  if (cause instanceof CancelledFailure) return 'CANCELLED';
  return 'FAILED';
}
