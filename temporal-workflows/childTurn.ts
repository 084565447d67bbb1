import { CancellationScope, type ChildWorkflowHandle, ParentClosePolicy, startChild } from '@temporalio/workflow';
import type { RunEnd } from '../domain/agent/runStatus.ts';
import type { TurnStart } from '../domain/agent/turnCalls.ts';
import { summary } from '../domain/execution/summary.ts';
import { type StartedChild, startChildOnce } from './childStart.ts';
import { local } from './localActivities.ts';
import { AGENT_TURN, type AgentTurn, fairShare, turnAttributes } from './names.ts';
import { waitForRunning, waitingActivities } from './waitForRunning.ts';

const { awaitTurn } = waitingActivities('Waits for the turn');

/** Starts an accepted turn as a child that stops with the scope, or waits for it if it already runs or is queued. */
export async function startChildTurn(start: TurnStart): Promise<StartedChild<RunEnd>> {
  const elsewhere = () => endElsewhere(start);
  if (start.queued) return { ended: elsewhere() };
  return startChildOnce({
    begin: () => begin(start),
    isCancelledToo: true,
    endOf: (child) => endOf(child, start),
    endElsewhere: elsewhere,
  });
}

function begin({ turn, name }: TurnStart) {
  return startChild<AgentTurn>(AGENT_TURN, {
    workflowId: turn.runId,
    args: [turn],
    workflowIdReusePolicy: 'REJECT_DUPLICATE',
    staticSummary: summary(name),
    typedSearchAttributes: turnAttributes(turn.workspaceId),
    priority: fairShare(turn),
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  });
}

function endElsewhere({ turn }: TurnStart): () => Promise<RunEnd> {
  return waitForRunning(
    () => local('Stops the turn').stopTurn(turn),
    () => awaitTurn(turn),
  );
}

async function endOf(child: ChildWorkflowHandle<AgentTurn>, { turn }: TurnStart): Promise<RunEnd> {
  try {
    return await child.result();
  } catch {
    // The turn workflow itself never fails, so the engine ended this one. Its row will contain the status.
    return CancellationScope.nonCancellable(() => awaitTurn(turn));
  }
}
