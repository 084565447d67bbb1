import { CronExpressionParser } from 'cron-parser';

/** When and how often a schedule starts. */
export interface Times {
  cron?: string | undefined;
  everyMs?: number | undefined;
  /** IANA. */
  timezone: string;
}

export interface NextTime {
  /** Milliseconds since the epoch. */
  at: number;
  /** The clock there was put to another offset since the time before: `GMT+1` to `GMT+2`. */
  clocks?: { from: string; to: string };
}

/**
 * The next times of a schedule. `first` is the next one as the engine says it, where it is known: every so many milliseconds
 * counts from it. Times of a cron expression are of the clock in its zone.
 */
export function nextTimes({ cron, everyMs, timezone }: Times, now: number, count: number, first?: number): NextTime[] {
  let before = offsetOf(timezone, now);
  return timesOf({ cron, everyMs, timezone }, now, count, first).map((at) => {
    const from = before;
    before = offsetOf(timezone, at);
    return before === from ? { at } : { at, clocks: { from, to: before } };
  });
}

function timesOf({ cron, everyMs, timezone }: Times, now: number, count: number, first?: number): number[] {
  if (cron !== undefined) {
    const expression = CronExpressionParser.parse(cron, { tz: timezone, currentDate: new Date(now) });
    return expression.take(count).map((date) => date.getTime());
  }
  if (everyMs === undefined) return [];
  // The engine counts from the epoch.
  const begin = first ?? (Math.floor(now / everyMs) + 1) * everyMs;
  return Array.from({ length: count }, (_, index) => begin + index * everyMs);
}

function offsetOf(timeZone: string, at: number): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }).formatToParts(at);
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
