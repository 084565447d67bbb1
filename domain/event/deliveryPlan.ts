const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const FIRST_PAUSES = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR];
const LATER_PAUSE = 6 * HOUR;
/** How long deliveries are attempted, counted from the event or from the request to replay it. */
export const TRIED_FOR_MS = 72 * HOUR;

/** Undefined: the next attempt would come over three days after the first was due, so the delivery has failed. */
export function pauseAfter(attempts: number, { dueSince, now }: { dueSince: Date; now: Date }): number | undefined {
  const pauseMs = FIRST_PAUSES[attempts - 1] ?? LATER_PAUSE;
  return now.getTime() + pauseMs - dueSince.getTime() > TRIED_FOR_MS ? undefined : pauseMs;
}

/** gone: 410, which ends the subscription. failed: the attempts end after three days. */
export const ATTEMPT_OUTCOMES = ['delivered', 'again', 'failed', 'gone'] as const;
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number];

/** Interprets a receiver's status code. A redirect is a failure, because the subscription needs the new address. */
export function meaningOf(statusCode: number): 'delivered' | 'gone' | 'failed' {
  if (statusCode === 410) return 'gone';
  return statusCode >= 200 && statusCode < 300 ? 'delivered' : 'failed';
}
