import { ApplicationFailure, TemporalFailure } from '@temporalio/workflow';
import type { EndCall } from '../domain/execution/activityCalls.ts';
import { FAILURE } from '../domain/execution/activityFailure.ts';

/**
 * Returns the end of an execution whose activity the engine gave up, here or in one of its parts. Undefined for errors
 * of the workflow's own code: Temporal repeats such a task until a fixed build runs it.
 */
export function givenUp(error: unknown): EndCall['end'] | undefined {
  if (!(error instanceof TemporalFailure)) return undefined;
  let cause: unknown = error;
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause;
  const type = cause instanceof ApplicationFailure ? cause.type : undefined;
  if (type === FAILURE.workerLost) {
    return { status: 'FAILED', reason: `${FAILURE.workerLost}: the workers that ran it went away, again and again` };
  }
  const reason = `${FAILURE.internal}: Perdure itself failed, again and again; the log of the workers says more`;
  return { status: 'FAILED', reason };
}
