import { CancelledFailure } from '@temporalio/common';
import {
  CancellationScope,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInterceptors,
  type WorkflowInternalsInterceptor,
  type WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';
import { endsUnsent } from './endsUnsent.ts';
import { detailsWhenAsked } from './shownDetails.ts';
import { Turns } from './turns.ts';

/** When it has started, with its run's id, and when it has ended. */
type Child = [started: Promise<string>, completed: Promise<unknown>];

/** Everything that a workflow hears goes through here, in turn (turns.ts). */
export function interceptors(): WorkflowInterceptors {
  const turns = new Turns();

  async function inTurn<Result>(result: Promise<Result>, take: () => Promise<void>): Promise<Result> {
    try {
      await result;
    } catch (error) {
      // Its scope was cancelled, which follows from what has its turn now.
      if (error instanceof CancelledFailure) throw error;
    }
    await take();
    return result;
  }
  function afterTurn<Result>(result: Promise<Result>): Promise<Result> {
    return inTurn(result, () => turns.takeEvent());
  }
  function sentOrEnded<Result>(result: Promise<Result>): Promise<Result> {
    return endsUnsent(afterTurn(result));
  }

  async function childInTurn(child: Promise<Child>): Promise<Child> {
    const [started, completed] = await child;
    const begun = sentOrEnded(started);
    const ended = sentOrEnded(completed);
    // As the SDK does: nobody may ask how it began or ended, e.g. of one that is cancelled before it is scheduled.
    begun.catch(() => undefined);
    ended.catch(() => undefined);
    return [begun, ended];
  }

  const inbound: WorkflowInboundCallsInterceptor = {
    handleSignal: (input, next) => turns.takeEvent().then(() => next(input)),
  };
  const internals: WorkflowInternalsInterceptor = {
    activate(input, next) {
      const jobs = input.activation.jobs ?? [];
      const localActivities = jobs.filter(({ resolveActivity }) => resolveActivity?.isLocal).length;
      const isQuery = jobs.some(({ queryWorkflow }) => queryWorkflow);
      if (!isQuery) turns.arrived({ events: jobs.length - localActivities, localActivities });
      return next(input);
    },
  };
  const outbound: WorkflowOutboundCallsInterceptor = {
    scheduleActivity: (input, next) => sentOrEnded(next(input)),
    startTimer: (input, next) => afterTurn(next(input)),
    scheduleLocalActivity(input, next) {
      // Core fails the task when it is to cancel one that has just ended (MarkerCommandCreated has no way for Cancel), and
      // again when it is repeated. So one that runs is waited for: it reads and writes, and has its budget.
      const isCancelled = CancellationScope.current().consideredCancelled;
      const result = isCancelled ? next(input) : CancellationScope.nonCancellable(() => next(input));
      return inTurn(result, () => turns.takeLocalActivity());
    },
    startChildWorkflowExecution: (input, next) => childInTurn(next(input)),
  };
  return { inbound: [inbound], outbound: [outbound], internals: [internals, detailsWhenAsked] };
}
