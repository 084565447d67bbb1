const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const FIRST_PAUSES = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR];
const LATER_PAUSE = 6 * HOUR;
/** How long an event is tried, from the time that it came or was to be replayed. */
export const TRIED_FOR_MS = 72 * HOUR;

/**
 * How long to wait after so many failed attempts; undefined where the next one would be later than three days after the
 * first was due: the delivery has failed.
 */
export function pauseAfter(attempts: number, { dueSince, now }: { dueSince: Date; now: Date }): number | undefined {
  const pauseMs = FIRST_PAUSES[attempts - 1] ?? LATER_PAUSE;
  return now.getTime() + pauseMs - dueSince.getTime() > TRIED_FOR_MS ? undefined : pauseMs;
}

/** What follows an attempt: nothing, another one later, nothing more after three days, or the end of the subscription (410). */
export const ATTEMPT_OUTCOMES = ['delivered', 'again', 'failed', 'gone'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** What a receiver's answer means. Redirects are failures: the address is to be changed. */
export function meaningOf(statusCode: number): 'delivered' | 'gone' | 'failed' {
  if (statusCode === 410) return 'gone';
  return statusCode >= 200 && statusCode < 300 ? 'delivered' : 'failed';
}
