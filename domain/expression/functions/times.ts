import { Duration } from '@marcbachmann/cel-js/evaluator';
import { durationMs } from '../../duration.ts';
import { charge } from '../meter.ts';
import { chargedText, kindOf, numberAt, textAt } from './argument.ts';
import type { CelFunction } from './celFunction.ts';
import { formattedTime } from './timeFormat.ts';

const ISO_8601 = /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|z|[+-]\d\d:?\d\d)?)?$/;
/** CEL's range: 0001-01-01 to 9999-12-31. */
const EARLIEST = -62_135_596_800_000;
const LATEST = 253_402_300_799_999;

/** Parses an ISO 8601 date, or date and time, in UTC unless it has a zone. Undefined for other texts. */
export function timeOfText(text: string): Date | undefined {
  const match = ISO_8601.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const offset = zone.toUpperCase() === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  const clock = `${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}`;
  const time = new Date(`${year}-${month}-${day}T${clock}${offset}`);
  // Date reads 30 February as 2 March.
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
  if (!inRange(time) || Number(day) > lastDay) return undefined;
  return time;
}

function inRange(time: Date): boolean {
  return time.getTime() >= EARLIEST && time.getTime() <= LATEST;
}

function timeAt(args: readonly unknown[], at: number): Date {
  const value = args[at];
  if (value instanceof Date) return value;
  if (typeof value === 'string') {
    const time = timeOfText(value);
    if (time === undefined) throw new Error(`${JSON.stringify(value.slice(0, 60))} is not an ISO 8601 time`);
    return time;
  }
  if (typeof value === 'number' || typeof value === 'bigint') {
    const time = new Date(numberAt(args, at) * 1000);
    if (!inRange(time)) throw new Error(`${value} seconds is not a time between the years 1 and 9999`);
    return time;
  }
  throw new Error(`expected ISO 8601 text or seconds since 1970, got ${kindOf(value)}`);
}

function duration(args: readonly unknown[]): Duration {
  const [value] = args;
  if (value instanceof Duration) return value;
  if (typeof value === 'number' || typeof value === 'bigint') return Duration.fromMilliseconds(numberAt(args, 0));
  const text = textAt(args, 0);
  const ms = text.length > 100 ? undefined : durationMs(text.replace(/^[+-]/, ''));
  if (ms === undefined) {
    throw new Error(`${JSON.stringify(text.slice(0, 60))} is not a duration, expected e.g. 1h30m, 2d, 250ms`);
  }
  return Duration.fromMilliseconds(text.startsWith('-') ? -ms : ms);
}

function formatTime(args: readonly unknown[]): string {
  const pattern = textAt(args, 1);
  charge(20 + pattern.length);
  return chargedText(formattedTime(timeAt(args, 0), pattern, args.length > 2 ? textAt(args, 2) : 'UTC'));
}

export const TIME_FUNCTIONS: readonly CelFunction[] = [
  {
    name: 'timestamp',
    signature: 'timestamp(text or seconds) → time',
    doc: 'From ISO 8601 text (a date alone means midnight; UTC if there is no zone), or from seconds since 1970.',
    least: 1,
    most: 1,
    returns: 'google.protobuf.Timestamp',
    call: (args) => timeAt(args, 0),
  },
  {
    name: 'duration',
    signature: 'duration(text or milliseconds) → duration',
    doc: 'From text such as `1h30m`, `2d`, `250ms`, or from milliseconds; a result of this type becomes milliseconds.',
    least: 1,
    most: 1,
    returns: 'google.protobuf.Duration',
    call: duration,
  },
  {
    name: 'formatTime',
    signature: 'formatTime(time, pattern, zone?) → text',
    doc: 'With yyyy yy MMMM MMM MM M dd d EEEE EEE HH H hh h mm m ss s SSS a XXX, other letters in quotes; the zone is an IANA name or an offset such as +02:00, UTC without.',
    least: 2,
    most: 3,
    returns: 'string',
    call: formatTime,
  },
];
