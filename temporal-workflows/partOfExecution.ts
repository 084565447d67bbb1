import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import { executeChild, ParentClosePolicy, workflowInfo } from '@temporalio/workflow';
import type { RegionResult } from '../domain/execution/activityCalls.ts';
import { summary } from '../domain/execution/summary.ts';
import type { LoopEnd } from './loop.ts';
import { type NodePart, RUN_PART, type SlicePart } from './names.ts';
import { cancelRunning, waitForRunning, waitingActivities } from './waitForRunning.ts';

interface PartStart<Part> {
  workspaceId: string;
  workflowId: string;
  part: Part;
  text: string;
}

type PartResult<Part> = Part extends SlicePart ? LoopEnd : RegionResult;

/**
 * Runs a part of this execution as a child (runPart.ts). A child that is already running is from before a reset: this
 * waits for it, then starts another one, which finds the state of all steps in the rows.
 */
export async function awaitPart<Part extends SlicePart | NodePart>(start: PartStart<Part>): Promise<PartResult<Part>> {
  const { workspaceId, workflowId, part, text } = start;
  for (;;) {
    try {
      return await executeChild<(part: Part) => Promise<PartResult<Part>>>(RUN_PART, {
        workflowId,
        args: [part],
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
