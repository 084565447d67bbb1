import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { executeChild, ParentClosePolicy, workflowInfo } from '@temporalio/workflow';
import { summary } from '../domain/execution/summary.ts';
import { cancelRunning, waitForRunning, waitingActivities } from './waitForRunning.ts';

/** A child workflow that runs a part of its parent's execution. */
interface Part<Arguments> {
  workspaceId: string;
  type: string;
  workflowId: string;
  args: Arguments;
  /** For people at the Temporal UI. */
  text: string;
}

/**
 * Runs a part of this execution as a child with its own history. A child that runs already belongs to the run before a
 * reset of this workflow: it is awaited, and the child after it finds the state of all steps in the rows.
 */
export async function runPart<Result, Arguments>(part: Part<Arguments>): Promise<Result> {
  const { type, workspaceId, workflowId, args, text } = part;
  for (;;) {
    try {
      return await executeChild<(args: Arguments) => Promise<Result>>(type, {
        workflowId,
        args: [args],
        staticSummary: summary(text),
        typedSearchAttributes: workflowInfo().typedSearchAttributes,
        parentClosePolicy: ParentClosePolicy.TERMINATE,
        cancellationType: 'WAIT_CANCELLATION_COMPLETED',
      });
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      const { awaitIterations } = waitingActivities(summary(`Waits for ${text}`));
      await waitForRunning(
        () => cancelRunning(workflowId),
        () => awaitIterations({ workspaceId, workflowId }),
      )();
    }
  }
}
