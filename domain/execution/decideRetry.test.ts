import { describe, expect, it } from '@jest/globals';
import { decideRetry, MAX_RETRY_AFTER_MS } from './decideRetry.ts';

const failure = { code: 'X', message: 'x', retryable: true };

describe('decideRetry', () => {
  it.each([
    ['no policy', undefined, 1, {}, undefined],
    ['attempts are used up', { maximumAttempts: 2 }, 2, {}, undefined],
    ['a retry would not mend it', { maximumAttempts: 5 }, 1, { retryable: false }, undefined],
    ['first backoff by default', { maximumAttempts: 5 }, 1, {}, 1_000],
    ['doubles by default', { maximumAttempts: 5 }, 3, {}, 4_000],
    ['own numbers', { maximumAttempts: 5, initialIntervalMs: 10, backoffCoefficient: 3 }, 3, {}, 90],
    ['capped', { maximumAttempts: 50, initialIntervalMs: 10, maximumIntervalMs: 25 }, 40, {}, 25],
    ['the other side asks for longer', { maximumAttempts: 5 }, 1, { retryAfterMs: 7_000 }, 7_000],
    ['for less than the backoff', { maximumAttempts: 5 }, 1, { retryAfterMs: 7 }, 1_000],
    ['for ever', { maximumAttempts: 5 }, 1, { retryAfterMs: 1e15 }, MAX_RETRY_AFTER_MS],
    ['a worker names the pause', { maximumAttempts: 5 }, 1, { retryInMs: 20 }, 20],
    ['in the past', { maximumAttempts: 5 }, 1, { retryInMs: -1e15 }, 0],
  ])('%s', (_case, policy, attempt, more, expected) => {
    expect(decideRetry(policy, attempt, { ...failure, ...more })).toBe(expected);
  });
});
