import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { CancellationScope } from '@temporalio/workflow';

/** A workflow whose row is accepted, and that is started as a child of this one. */
interface Accepted<Child, End> {
  begin(): Promise<Child>;
  /** It is cancelled where the scope is in which it was started. */
  isCancelledToo: boolean;
  endOf(child: Child): Promise<End>;
  /** Of one that runs already: the reconciler has started it. */
  endElsewhere(): () => Promise<End>;
}

export interface StartedChild<End> {
  /** How it ended, once it has. */
  ended(): Promise<End>;
}

/**
 * Starts it; resolves when it has started. What is accepted is always started, also in a scope that is being cancelled: then it
 * starts and is cancelled, and its row tells so.
 */
export async function startedOnce<Child, End>(accepted: Accepted<Child, End>): Promise<StartedChild<End>> {
  const outer = CancellationScope.current();
  const inner = new CancellationScope({ cancellable: true, parent: new CancellationScope({ cancellable: false }) });
  try {
    const child = await inner.run(accepted.begin);
    if (accepted.isCancelledToo) outer.cancelRequested.catch(() => inner.cancel());
    return { ended: () => accepted.endOf(child) };
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return { ended: accepted.endElsewhere() };
  }
}
