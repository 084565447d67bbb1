import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../../prisma/databaseErrors.ts';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;
/** Each caller logs a long absence once in this interval. */
const SAY_EVERY_MS = 60_000;

/** Retries while the database is away, so that finished work is not repeated. Cancellation and shutdown end it. */
export async function whileDatabaseAway<T>(signal: AbortSignal, log: Logger, work: () => Promise<T>): Promise<T> {
  const since = Date.now();
  let saidAt = 0;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseUnavailable(error) || signal.aborted) throw error;
      if (Date.now() - saidAt >= SAY_EVERY_MS) {
        saidAt = Date.now();
        log.warn({ err: error, awayMs: saidAt - since }, 'the database is away; trying again until it is back');
      }
      await delay(pause, undefined, { signal });
    }
  }
}
