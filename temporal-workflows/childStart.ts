import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { CancellationScope } from '@temporalio/workflow';

/** A workflow to start as a child; its row exists already. */
interface Accepted<Child, End> {
  begin(): Promise<Child>;
  isCancelledToo: boolean;
  endOf(child: Child): Promise<End>;
  /** Called if the reconciler has started it already. */
  endElsewhere(): () => Promise<End>;
}

export interface StartedChild<End> {
  ended(): Promise<End>;
}

/** Resolves when the child has started, also in a cancelled scope, so that its row shows the cancellation. */
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
