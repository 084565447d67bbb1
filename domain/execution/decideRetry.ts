import type { RetryPolicy } from '../workflow/definition.ts';
import type { Failure } from './outcome.ts';

const RETRY_DEFAULTS = { initialIntervalMs: 1_000, backoffCoefficient: 2, maximumIntervalMs: 3_600_000 };

/** Longest wait that the other side may request: one day. */
export const MAX_RETRY_AFTER_MS = 86_400_000;

/** Returns the milliseconds until the next attempt, or undefined if this failure is final. `attempt` counts from 1. */
export function decideRetry(policy: RetryPolicy | undefined, attempt: number, failure: Failure): number | undefined {
  if (!policy || !failure.retryable || attempt >= policy.maximumAttempts) return undefined;
  if (failure.retryInMs !== undefined) return Math.min(Math.max(failure.retryInMs, 0), MAX_RETRY_AFTER_MS);
  const { initialIntervalMs, backoffCoefficient, maximumIntervalMs } = { ...RETRY_DEFAULTS, ...policy };
  const backoff = Math.min(initialIntervalMs * backoffCoefficient ** (attempt - 1), maximumIntervalMs);
  const asked = Math.min(failure.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  return Math.round(Math.max(backoff, asked));
}
