import type { Failure } from '../execution/outcome.ts';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;

export interface RetryLimits {
  maxRetries: number;
  /** The maximum sum of the pauses of one model call. */
  maxWaitMs: number;
}

export interface FailedTries {
  retries: number;
  waitedMs: number;
}

/** Undefined if the failure is permanent, no retries are left, or the provider asks for too long a pause. */
export function pauseBeforeRetry(
  { retryable, retryAfterMs }: Pick<Failure, 'retryable' | 'retryAfterMs'>,
  { retries, waitedMs }: FailedTries,
  { maxRetries, maxWaitMs }: RetryLimits,
): number | undefined {
  if (!retryable || retries >= maxRetries) return undefined;
  const pause = retryAfterMs ?? Math.min(FIRST_PAUSE_MS * 2 ** retries, MAX_PAUSE_MS);
  return waitedMs + pause > maxWaitMs ? undefined : pause;
}
