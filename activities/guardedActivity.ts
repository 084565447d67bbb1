import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { Logger } from 'pino';
import { isDatabaseUnavailable, isDataRefused } from '../prisma/databaseErrors.ts';

/** Most tries of an activity that fails because of its data. */
const MOST_TRIES = 5;

/**
 * Makes internal errors safe for Temporal: the text of an error can quote values of a statement, and the history stores
 * thrown errors. The engine retries; the log has the details. If the data is too large for a statement or a text, it
 * gives up after some tries: the execution fails and does not stay open for ever.
 */
export function guarded<A extends unknown[], R>(
  name: string,
  log: Logger,
  activity: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  return async (...args) => {
    try {
      return await activity(...args);
    } catch (error) {
      if (error instanceof CancelledFailure || error instanceof ApplicationFailure) throw error;
      const away = isDatabaseUnavailable(error);
      const type = away ? 'DATABASE_UNAVAILABLE' : error instanceof Error ? error.name : 'Error';
      log.warn({ err: error, activity: name }, away ? 'the database is away' : 'an activity failed');
      const nonRetryable = activityInfo().attempt >= MOST_TRIES && failsAgain(error);
      throw ApplicationFailure.create({
        message: `${name}: ${type}; the log of the worker says more`,
        type,
        nonRetryable,
      });
    }
  };
}

/** Whether it is the data: too much of it for the database, or for a text (RangeError). It fails at each try. */
export function failsAgain(error: unknown): boolean {
  return error instanceof RangeError || isDataRefused(error);
}
