import { PerdureProblem, UNREACHABLE } from './problem.ts';

export interface RetryLimits {
  /** Including the first try. */
  tries: number;
  /** No retry begins after this time. */
  withinMs: number;
}

export const RETRY_LIMITS: RetryLimits = { tries: 4, withinMs: 30_000 };

interface RetryHooks {
  signal?: AbortSignal | undefined;
  /** Called with the failure before the first pause. */
  onAway?: ((problem: PerdureProblem) => void) | undefined;
}

const FIRST_PAUSE_MS = 300;
const MAX_PAUSE_MS = 10_000;

/** Whether to retry: after a 429, which is refused before anything is done, or if the request is repeatable. */
export function isWorthATry(problem: PerdureProblem, isRepeatable: boolean): boolean {
  if (problem.status === 429) return true;
  return isRepeatable && (problem.code === UNREACHABLE || [502, 503, 504].includes(problem.status));
}

/** Full jitter, so that clients do not retry simultaneously; never earlier than the API asks. */
export function pauseBefore(attempt: number, retryAfterMs = 0, random: () => number = Math.random): number {
  const most = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return retryAfterMs + random() * most;
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, fail) => {
    if (signal?.aborted) return fail(signal.reason);
    const stop = () => {
      clearTimeout(timer);
      fail(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      done();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Runs repeatable `work` until the API answers. Rejects with the signal's reason when aborted during a pause. */
export function untilAnswered<T>(work: () => Promise<T>, on: RetryHooks): Promise<T> {
  return withRetries(work, true, { tries: Number.POSITIVE_INFINITY, withinMs: Number.POSITIVE_INFINITY }, on);
}

export async function withRetries<T>(
  work: () => Promise<T>,
  isRepeatable: boolean,
  { tries, withinMs }: RetryLimits,
  { signal, onAway }: RetryHooks,
): Promise<T> {
  const begun = Date.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof PerdureProblem) || attempt >= tries || !isWorthATry(error, isRepeatable)) throw error;
      const ms = pauseBefore(attempt, error.retryAfterMs);
      if (Date.now() - begun + ms > withinMs) throw error;
      if (attempt === 1) onAway?.(error);
      await pause(ms, signal);
    }
  }
}
