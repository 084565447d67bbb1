import { Duration } from '@marcbachmann/cel-js/evaluator';
import { kindOf, textAt } from './argument.ts';
import type { CelFunction } from './celFunction.ts';
import { wallClock } from './timeFormat.ts';

const DAY_MS = 86_400_000;

function dayOfYear(clock: Date): number {
  const day = new Date(0);
  day.setUTCFullYear(clock.getUTCFullYear(), clock.getUTCMonth(), clock.getUTCDate());
  const first = new Date(0);
  first.setUTCFullYear(clock.getUTCFullYear(), 0, 1);
  return (day.getTime() - first.getTime()) / DAY_MS;
}

/** The wall-clock time is passed as if it were UTC. `ofDuration` reads the same part of a duration. */
function timePart(
  name: string,
  what: string,
  part: (clock: Date) => number,
  ofDuration?: (duration: Duration) => bigint,
): CelFunction {
  const expected = ofDuration ? 'a time or a duration' : 'a time';
  return {
    name,
    signature: `${name}(time, zone?) → number`,
    doc: `${what}; the zone is an IANA name or an offset such as +02:00, UTC without.`,
    least: 1,
    most: 2,
    returns: 'int',
    call: (args) => {
      const [value] = args;
      if (value instanceof Date) return BigInt(part(args.length > 1 ? wallClock(value, textAt(args, 1)) : value));
      if (value instanceof Duration && ofDuration && args.length === 1) return ofDuration(value);
      throw new Error(`expected ${expected}, got ${kindOf(value)}; timestamp() converts text to a time`);
    },
  };
}

/** Standard CEL functions. cel-js uses the machine's zone: hours and days differed between workers. */
export const TIME_PART_FUNCTIONS: readonly CelFunction[] = [
  timePart('getFullYear', 'The year', (clock) => clock.getUTCFullYear()),
  timePart('getMonth', 'The month, from 0', (clock) => clock.getUTCMonth()),
  timePart('getDate', 'The day of the month, from 1', (clock) => clock.getUTCDate()),
  timePart('getDayOfMonth', 'The day of the month, from 0', (clock) => clock.getUTCDate() - 1),
  timePart('getDayOfWeek', 'The day of the week, from 0, which is Sunday', (clock) => clock.getUTCDay()),
  timePart('getDayOfYear', 'The day of the year, from 0', dayOfYear),
  timePart(
    'getHours',
    'The hour, or all hours of a duration',
    (clock) => clock.getUTCHours(),
    (duration) => duration.getHours(),
  ),
  timePart(
    'getMinutes',
    'The minute, or all minutes of a duration',
    (clock) => clock.getUTCMinutes(),
    (duration) => duration.getMinutes(),
  ),
  timePart(
    'getSeconds',
    'The second, or all seconds of a duration',
    (clock) => clock.getUTCSeconds(),
    (duration) => duration.getSeconds(),
  ),
  timePart(
    'getMilliseconds',
    'The millisecond, or all milliseconds of a duration',
    (clock) => clock.getUTCMilliseconds(),
    (duration) => duration.getMilliseconds(),
  ),
];
