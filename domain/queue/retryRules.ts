/** The retry settings of an item, before those of the queue (decisions.md 5). */
export interface RetryRules {
  maxRetries: number;
  retryDelayMinutes: number;
}

export type OwnRetryRules = { [Key in keyof RetryRules]: RetryRules[Key] | null };

export function rulesOf(own: OwnRetryRules, queue: RetryRules): RetryRules {
  return {
    maxRetries: own.maxRetries ?? queue.maxRetries,
    retryDelayMinutes: own.retryDelayMinutes ?? queue.retryDelayMinutes,
  };
}

export function retriesRemain(retryCount: number, { maxRetries }: Pick<RetryRules, 'maxRetries'>): boolean {
  return retryCount < maxRetries;
}

export type AfterError = { status: 'RETRYING'; retryCount: number; nextRetryAt: number } | { status: 'FAILED' };

/** The effect of an error on an item in PROCESSING. Times are epoch milliseconds. SQL: fail_queue_items. */
export function afterError(retryCount: number, rules: RetryRules, now: number): AfterError {
  if (!retriesRemain(retryCount, rules)) return { status: 'FAILED' };
  return { status: 'RETRYING', retryCount: retryCount + 1, nextRetryAt: now + rules.retryDelayMinutes * 60_000 };
}
