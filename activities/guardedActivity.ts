import { activityInfo } from '@temporalio/activity';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../prisma/databaseErrors.ts';
import { failsAgain } from './failsAgain.ts';

/** So often is tried what fails by the data that it works on. */
const MOST_TRIES = 5;

/**
 * Failures of the house itself, as Temporal may keep them: an error's own text can quote values of a statement, and
 * what an activity throws stands in the history. The engine tries again; the log says more. Where it is the data that is
 * too much for a statement or for a text, it gives up after a while: the execution fails, and is not open for ever.
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
