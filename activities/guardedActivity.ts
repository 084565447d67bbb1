import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../prisma/unavailable.ts';

/**
 * Failures of the house itself, as Temporal may keep them: an error's own text can quote values of a statement, and
 * what an activity throws stands in the history. The engine tries again; the log says more.
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
      throw ApplicationFailure.create({ message: `${name}: ${type}; the log of the worker says more`, type });
    }
  };
}
