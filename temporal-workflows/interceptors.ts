import { CancelledFailure } from '@temporalio/common';
import {
  CancellationScope,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInterceptors,
  type WorkflowInternalsInterceptor,
  type WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';
import { detailsWhenAsked } from './currentDetails.ts';
import { noteActivation } from './rebuildNote.ts';
import { Sequencer } from './sequencer.ts';
import { endsUnsent } from './unsentCommand.ts';

type Child = [started: Promise<string>, completed: Promise<unknown>];

/**
 * Puts the events of a workflow into one order (sequencer.ts), and ends calls that Core would leave open:
 *
 *   signal, timer                 in order
 *   activity                      in order; ends at once if cancelled before it was sent (unsentCommand.ts)
 *   child workflow                the same, for its start and for its end
 *   local activity                in order, and never cancelled while it runs
 */
export function interceptors(): WorkflowInterceptors {
  const sequencer = new Sequencer();

  async function inOrder<Result>(result: Promise<Result>, turn: () => Promise<void>): Promise<Result> {
    try {
      await result;
    } catch (error) {
      if (error instanceof CancelledFailure) throw error;
    }
    await turn();
    return result;
  }
  function inEventOrder<Result>(result: Promise<Result>): Promise<Result> {
    return inOrder(result, () => sequencer.nextEvent());
  }
  function sentOrEnded<Result>(result: Promise<Result>): Promise<Result> {
    return endsUnsent(inEventOrder(result));
  }

  async function childInOrder(child: Promise<Child>): Promise<Child> {
    const [started, completed] = await child;
    const begun = sentOrEnded(started);
    const ended = sentOrEnded(completed);
    // Like the SDK: a start or an end may stay unread, e.g. of a child that is cancelled before it is scheduled.
    begun.catch(() => undefined);
    ended.catch(() => undefined);
    return [begun, ended];
  }

  const inbound: WorkflowInboundCallsInterceptor = {
    handleSignal: (input, next) => sequencer.nextEvent().then(() => next(input)),
  };
  const internals: WorkflowInternalsInterceptor = {
    activate(input, next) {
      const jobs = input.activation.jobs ?? [];
      const localActivities = jobs.filter(({ resolveActivity }) => resolveActivity?.isLocal).length;
      const isQuery = jobs.some(({ queryWorkflow }) => queryWorkflow);
      if (!isQuery) noteActivation(input.activation);
      if (!isQuery) sequencer.arrived({ events: jobs.length - localActivities, localActivities });
      return next(input);
    },
  };
  const outbound: WorkflowOutboundCallsInterceptor = {
    scheduleActivity: (input, next) => sentOrEnded(next(input)),
    startTimer: (input, next) => inEventOrder(next(input)),
    scheduleLocalActivity(input, next) {
      // If a local activity that has just ended is cancelled, Core fails the workflow task (MarkerCommandCreated has no
      // transition for Cancel), and again on each repetition. So we wait for a running one: it only reads and writes,
      // within its budget.
      const isCancelled = CancellationScope.current().consideredCancelled;
      const result = isCancelled ? next(input) : CancellationScope.nonCancellable(() => next(input));
      return inOrder(result, () => sequencer.nextLocalActivity());
    },
    startChildWorkflowExecution: (input, next) => childInOrder(next(input)),
  };
  return { inbound: [inbound], outbound: [outbound], internals: [internals, detailsWhenAsked] };
}
