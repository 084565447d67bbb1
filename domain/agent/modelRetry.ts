import type { Failure } from '../execution/outcome.ts';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

export interface RetryLimits {
  /** Tries after the first. */
  maxRetries: number;
  /** All pauses of one model call together. */
  mostWaitMs: number;
}

/** The tries of a model call that have failed. */
export interface FailedTries {
  retries: number;
  waitedMs: number;
}

/**
 * The pause before the next try of a model call; undefined where there is none: the failure is for good, tries are used
 * up, or the provider asks for a longer time than a turn waits.
 */
export function pauseBeforeRetry(
  { retryable, retryAfterMs }: Pick<Failure, 'retryable' | 'retryAfterMs'>,
  { retries, waitedMs }: FailedTries,
  { maxRetries, mostWaitMs }: RetryLimits,
): number | undefined {
  if (!retryable || retries >= maxRetries) return undefined;
  const pause = retryAfterMs ?? Math.min(FIRST_PAUSE_MS * 2 ** retries, MAX_PAUSE_MS);
  return waitedMs + pause > mostWaitMs ? undefined : pause;
}
