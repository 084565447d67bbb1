import {
  ApplicationFailure,
  CancellationScope,
  CancelledFailure,
  defineSignal,
  isCancellation,
  setHandler,
  sleep,
} from '@temporalio/workflow';
import { durationWritten } from '../domain/durationWords.ts';
import type { HoldState } from '../domain/execution/activityCalls.ts';
import type { TerminalStatus } from '../domain/execution/status.ts';
import { ExecutionTime } from './executionTime.ts';
import { givenUp } from './failureEnd.ts';
import { untilReleased } from './heldStart.ts';
import { Host } from './host.ts';
import { local } from './localActivities.ts';
import {
  INPUT_SUBMITTED,
  type InputSubmitted,
  type RunExecutionArguments,
  STEP_WOKEN,
  type StepWoken,
} from './names.ts';
import { ownPlan } from './ownPlan.ts';
import { ScopeRun } from './scopeRun.ts';

/** Long enough for the reconciler to deliver a request that an API process could not. */
const REQUEST_ARRIVES_MS = 30_000;

const inputSubmitted = defineSignal<[InputSubmitted]>(INPUT_SUBMITTED);
const stepWoken = defineSignal<[StepWoken]>(STEP_WOKEN);

/** A failed execution fails the workflow, so that the Temporal UI shows the status of the row. */
export async function runExecution(execution: RunExecutionArguments): Promise<TerminalStatus> {
  const host = new Host({ ...execution, plan: execution.plan ?? (await ownPlan(execution)) });
  const run = new ScopeRun(host, undefined, execution.progress);
  setHandler(inputSubmitted, (submitted) => host.answer(submitted));
  setHandler(stepWoken, (woken) => host.woken(woken));
  const hold: HoldState = { held: execution.held ?? false, limited: execution.limited ?? false };
  const status = await runToEnd(host, run, execution, hold);
  host.show(status);
  if (hold.limited) await CancellationScope.nonCancellable(() => local('Lets the next one go').releaseNext(host.ref));
  if (status === 'COMPLETED') return status;
  if (status === 'CANCELLED') {
    // The row may show the cancellation before the engine's request for it arrives, and without that request the engine
    // would show the workflow as failed. The request rejects the sleep, also if it has already arrived.
    await sleep(REQUEST_ARRIVES_MS, { summary: 'Waits for the request to cancel' });
    throw new CancelledFailure('The execution was cancelled');
  }
  const at = run.endedAt();
  throw ApplicationFailure.nonRetryable(
    `The execution ended ${status}${at === undefined ? '' : ` at "${at}"`}`,
    status,
  );
}

async function runToEnd(
  host: Host,
  run: ScopeRun,
  { timeoutMs, takesOver }: Pick<RunExecutionArguments, 'timeoutMs' | 'takesOver'>,
  hold: HoldState,
): Promise<TerminalStatus> {
  let time = new ExecutionTime(timeoutMs);
  try {
    if (hold.held) {
      Object.assign(hold, await untilReleased(host.ref));
      host.showDetails();
      // The timeout of a held execution starts at its release.
      time = new ExecutionTime(timeoutMs, Date.now());
    }
    return await time.limit(async () => {
      if (takesOver) await takeOver(host);
      return untilEnded(run);
    });
  } catch (error) {
    const end = isCancellation(error) ? undefined : givenUp(error);
    if (end) return run.end(end);
    if (!isCancellation(error)) throw error;
    if (time.isOver)
      return run.end({ status: 'TIMED_OUT', reason: `Not finished within ${durationWritten(timeoutMs ?? 0)}` });
    return run.end({ status: 'CANCELLED', reason: 'Cancelled' });
  }
}

/** Copies the iterations that ended in the retried execution. A loop needs them before it begins. */
async function takeOver(host: Host): Promise<void> {
  while (await local('Takes over iterations').takeOver(host.ref));
}

async function untilEnded(run: ScopeRun): Promise<TerminalStatus> {
  while (run.endStatus === undefined) {
    const ending = run.ending();
    if (ending) return await run.end(ending);
    await run.advance();
  }
  return run.endStatus;
}
