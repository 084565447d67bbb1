import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { CancellationScope } from '@temporalio/workflow';

/** A workflow whose row is accepted, and that is started as a child of this one. */
interface Accepted<Child, End> {
  begin(): Promise<Child>;
  /** It is cancelled together with the scope that started it. */
  isCancelledToo: boolean;
  endOf(child: Child): Promise<End>;
  /** The execution runs already: the reconciler has started it. */
  endElsewhere(): () => Promise<End>;
}

export interface StartedChild<End> {
  /** How it ended, once it has. */
  ended(): Promise<End>;
}

/**
 * Starts an accepted execution or turn; resolves when it has started. It also starts in a scope that is being
 * cancelled: then it is cancelled at once, and its row shows that.
 */
export async function startChildOnce<Child, End>(accepted: Accepted<Child, End>): Promise<StartedChild<End>> {
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
