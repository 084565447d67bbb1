import { charge } from '../meter.ts';

const FORMATTERS = new Map<string, Intl.DateTimeFormat>();
const KEPT = 100;
/** The work of making a formatter and of using it. */
const MADE_WORK = 2_000;
const USED_WORK = 60;

const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ');
const PATTERN =
  /'((?:[^']|'')*)'|(yyyy|yy|MMMM|MMM|MM|M|dd|d|EEEE|EEE|HH|H|hh|h|mm|m|ss|s|SSS|a|XXX)|([A-Za-z])|([^A-Za-z'])|(')/g;

function formatter(zone: string): Intl.DateTimeFormat {
  const known = FORMATTERS.get(zone);
  charge(known === undefined ? MADE_WORK : USED_WORK);
  if (known !== undefined) return known;
  let made: Intl.DateTimeFormat;
  try {
    made = new Intl.DateTimeFormat('en-US-u-hc-h23', {
      timeZone: zone,
      calendar: 'iso8601',
      era: 'short',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  } catch (error) {
    throw new Error(`${JSON.stringify(zone.slice(0, 60))} is not a time zone, expected e.g. Europe/Berlin`, {
      cause: error,
    });
  }
  if (FORMATTERS.size >= KEPT) FORMATTERS.clear();
  FORMATTERS.set(zone, made);
  return made;
}

/** In CEL's notation. Intl supports offsets from Node 22 on, but not in Node 20. */
const OFFSET = /^([+-])([01]\d|2[0-3]):([0-5]\d)$/;

export function wallClock(time: Date, zone: string): Date {
  if (zone === 'UTC') return time;
  const offset = OFFSET.exec(zone);
  if (offset) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3]);
    return new Date(time.getTime() + (offset[1] === '-' ? -minutes : minutes) * 60_000);
  }
  const part = new Map(
    formatter(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes): number => part.get(type) ?? 0;
  const clock = new Date(0);
  clock.setUTCFullYear(of('year'), of('month') - 1, of('day'));
  clock.setUTCHours(of('hour'), of('minute'), of('second'), time.getUTCMilliseconds());
  return clock;
}

function offsetText(minutes: number): string {
  if (minutes === 0) return 'Z';
  const two = (value: number): string => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** Formats a time in a zone with Unicode's pattern letters, in English. Throws for unknown letters. */
export function formattedTime(time: Date, pattern: string, zone: string): string {
  const clock = wallClock(time, zone);
  const two = (value: number): string => String(value).padStart(2, '0');
  const year = String(clock.getUTCFullYear()).padStart(4, '0');
  const month = clock.getUTCMonth();
  const hour = clock.getUTCHours();
  const day = DAYS[clock.getUTCDay()] as string;
  const letters: Record<string, string> = {
    yyyy: year,
    yy: year.slice(-2),
    MMMM: MONTHS[month] as string,
    MMM: (MONTHS[month] as string).slice(0, 3),
    MM: two(month + 1),
    M: String(month + 1),
    dd: two(clock.getUTCDate()),
    d: String(clock.getUTCDate()),
    EEEE: day,
    EEE: day.slice(0, 3),
    HH: two(hour),
    H: String(hour),
    hh: two(hour % 12 || 12),
    h: String(hour % 12 || 12),
    mm: two(clock.getUTCMinutes()),
    m: String(clock.getUTCMinutes()),
    ss: two(clock.getUTCSeconds()),
    s: String(clock.getUTCSeconds()),
    SSS: String(clock.getUTCMilliseconds()).padStart(3, '0'),
    a: hour < 12 ? 'AM' : 'PM',
    XXX: offsetText(Math.round((clock.getTime() - time.getTime()) / 60_000)),
  };
  return pattern.replace(PATTERN, (_match, quoted?: string, known?: string, letter?: string, other?: string) => {
    if (quoted !== undefined) return quoted === '' ? "'" : quoted.replaceAll("''", "'");
    if (known !== undefined) return letters[known] as string;
    if (other !== undefined) return other;
    if (letter !== undefined) throw new Error(`the pattern's letter ${letter} is unknown; put plain text in '…'`);
    throw new Error("a ' in the pattern is not closed");
  });
}
