import { CronExpressionParser } from 'cron-parser';

export interface Times {
  cron?: string | undefined;
  everyMs?: number | undefined;
  /** An IANA name. */
  timezone: string;
}

export interface NextTime {
  /** Milliseconds since the epoch. */
  at: number;
  /** Set if the zone's offset changed since the previous time, such as from `GMT+1` to `GMT+2`. */
  clocks?: { from: string; to: string };
}

/**
 * An interval counts from `first`, the next start that the engine reports, or from the epoch without it. A cron
 * expression uses the clock of its zone.
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
