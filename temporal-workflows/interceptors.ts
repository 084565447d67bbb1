import { CancelledFailure } from '@temporalio/common';
import {
  CancellationScope,
  type WorkflowInboundCallsInterceptor,
  type WorkflowInterceptors,
  type WorkflowOutboundCallsInterceptor,
} from '@temporalio/workflow';
import type { RunExecutionArguments } from './names.ts';
import { Turns } from './turns.ts';

/** When it has started, with its run's id, and when it has ended. */
type Child = [started: Promise<string>, completed: Promise<unknown>];

/**
 * Everything that a workflow hears goes through here: with `inTurn` among its arguments one after the other, otherwise as
 * it comes, which is how executions of older builds began.
 */
export function interceptors(): WorkflowInterceptors {
  let turns: Turns | undefined;

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
    const all = turns;
    return all ? inTurn(result, () => all.take()) : result;
  }

  async function childInTurn(child: Promise<Child>): Promise<Child> {
    const [started, completed] = await child;
    const begun = afterTurn(started);
    const ended = afterTurn(completed);
    // As the SDK does: nobody may ask how it began or ended, e.g. of one that is cancelled before it is scheduled.
    begun.catch(() => undefined);
    ended.catch(() => undefined);
    return [begun, ended];
  }

  const inbound: WorkflowInboundCallsInterceptor = {
    execute(input, next) {
      const [first] = input.args as Partial<RunExecutionArguments>[];
      if (first?.inTurn) turns = new Turns();
      return next(input);
    },
    handleSignal(input, next) {
      return turns ? turns.take().then(() => next(input)) : next(input);
    },
  };
  const outbound: WorkflowOutboundCallsInterceptor = {
    scheduleActivity: (input, next) => afterTurn(next(input)),
    startTimer: (input, next) => afterTurn(next(input)),
    scheduleLocalActivity(input, next) {
      const all = turns;
      if (!all) return next(input);
      // Core fails the task when it is to cancel one that has just ended (MarkerCommandCreated has no way for Cancel), and
      // again when it is repeated. So one that runs is waited for: it reads and writes, and has its budget.
      const isCancelled = CancellationScope.current().consideredCancelled;
      const result = isCancelled ? next(input) : CancellationScope.nonCancellable(() => next(input));
      return inTurn(result, () => all.takeAfterEvents());
    },
    startChildWorkflowExecution: (input, next) => (turns ? childInTurn(next(input)) : next(input)),
  };
  return { inbound: [inbound], outbound: [outbound] };
}
