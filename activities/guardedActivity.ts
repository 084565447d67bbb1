import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { Logger } from 'pino';
import type { LocalHint } from '../domain/execution/activityCalls.ts';
import { FAILURE, passes } from '../domain/execution/activityFailure.ts';
import { ExecutionGone } from '../engine/executions/executionGone.ts';
import { isDatabaseUnavailable, isDataRefused } from '../prisma/databaseErrors.ts';
import { MissingAction } from './apps/missingAction.ts';

/** Maximum tries of an activity that fails because of its data. */
const MAX_TRIES = 5;

export interface GuardOptions {
  log: Logger;
  /** Tries of a local activity that fails in our own code. Remote ones count theirs (execution/runTry.ts). */
  maxTries: number;
}

/**
 * Hides internal errors from Temporal: their text can quote values, and histories store thrown errors. The log has the
 * details. After some tries, or at once if the execution is gone, it fails, so that no execution stays open forever.
 */
export function guarded<A, R>(
  name: string,
  { log, maxTries }: GuardOptions,
  activity: (call: A, hint: LocalHint) => Promise<R>,
): (call: A, hint?: LocalHint) => Promise<R> {
  return async (call, hint = {}) => {
    try {
      return await activity(call, hint);
    } catch (error) {
      if (error instanceof CancelledFailure || error instanceof ApplicationFailure) throw error;
      const type = typeOf(error);
      log.warn(
        { err: error, activity: name },
        type === FAILURE.databaseAway ? 'the database is away' : 'an activity failed',
      );
      throw ApplicationFailure.create({
        message: `${name}: ${type}; the log of the worker says more`,
        type,
        nonRetryable: type === FAILURE.gone || isLastTry(error, hint, maxTries),
      });
    }
  };
}

function typeOf(error: unknown): string {
  if (isDatabaseUnavailable(error)) return FAILURE.databaseAway;
  if (error instanceof MissingAction) return FAILURE.actionUnknown;
  if (error instanceof ExecutionGone) return FAILURE.gone;
  return error instanceof Error ? error.name : 'Error';
}

export function isLastTry(error: unknown, { tried = 0 }: LocalHint, maxTries: number): boolean {
  if (passes(typeOf(error))) return false;
  const { attempt, isLocal } = activityInfo();
  const tries = tried + attempt;
  return (failsAgain(error) && tries >= MAX_TRIES) || (isLocal && tries >= maxTries);
}

/** Returns true if the data always fails: too much for the database, or for a text (RangeError). */
export function failsAgain(error: unknown): boolean {
  return error instanceof RangeError || isDataRefused(error);
}
