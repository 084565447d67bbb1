import { CronExpressionParser } from 'cron-parser';

/** Times in a schedule's zone. A time matches if every member contains it; `*` matches all. */
export interface CalendarTimes {
  second: number[];
  minute: number[] | '*';
  hour: number[] | '*';
  dayOfMonth: number[] | '*';
  /** 1 to 12. */
  month: number[] | '*';
  /** 0 to 6, Sunday is 0. */
  dayOfWeek: number[] | '*';
}

const MONTHS = 'JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC';
const DAYS = 'SUN|MON|TUE|WED|THU|FRI|SAT';
/** Numbers, names, lists, ranges and steps, which all crons support. No L, W, #, ?, H or @daily. */
const FIELD = new RegExp(`^(?:[0-9*,/-]|${MONTHS}|${DAYS})+$`, 'i');

export const CRON_EXPECTATION =
  'minute hour day-of-month month day-of-week, with seconds first if there are six fields, e.g. "0 9 * * MON-FRI"';

/**
 * Parses five fields, or six with seconds, to alternatives: a time matches if one of them does. As in other crons, if
 * both the day of the month and of the week are restricted (neither begins with *), one match is enough. Throws an
 * Error with the problem.
 */
export function cronTimes(expression: string): CalendarTimes[] {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 5 && fields.length !== 6) throw new Error(`${fields.length} fields`);
  const unknown = fields.find((field) => !FIELD.test(field));
  if (unknown !== undefined) throw new Error(`"${unknown.slice(0, 60)}" is not supported`);
  const outside = numberOutside(fields);
  if (outside !== undefined) throw new Error(outside);
  // The parser needs a current date; the result does not depend on it.
  const { fields: parsed } = CronExpressionParser.parse(fields.join(' '), { tz: 'UTC', currentDate: 0 });
  const [dayOfMonth = '', , dayOfWeek = ''] = fields.slice(-3);
  const times: CalendarTimes = {
    second: numbers(parsed.second.values),
    minute: some(parsed.minute.values, 60),
    hour: some(parsed.hour.values, 24),
    dayOfMonth: some(parsed.dayOfMonth.values, 31),
    month: some(parsed.month.values, 12),
    dayOfWeek: some([...new Set(numbers(parsed.dayOfWeek.values).map((day) => day % 7))], 7),
  };
  const isEither = !dayOfMonth.startsWith('*') && !dayOfWeek.startsWith('*');
  if (!isEither) return [times];
  return [
    { ...times, dayOfWeek: '*' },
    { ...times, dayOfMonth: '*' },
  ];
}

const BOUNDS: readonly [name: string, least: number, most: number][] = [
  ['second', 0, 59],
  ['minute', 0, 59],
  ['hour', 0, 23],
  ['day of the month', 1, 31],
  ['month', 1, 12],
  ['day of the week', 0, 7],
];

/** Says which number is outside of its field's bounds: the parser does not name the field. */
function numberOutside(fields: readonly string[]): string | undefined {
  for (const [index, [name, least, most]] of BOUNDS.slice(-fields.length).entries()) {
    // Not the step after a slash.
    const found = [...(fields[index] ?? '').matchAll(/(?<![/\d])\d+/g)].map(([number]) => Number(number));
    const wrong = found.find((number) => number < least || number > most);
    if (wrong !== undefined) return `the ${name} is ${wrong}, expected ${least} to ${most}`;
  }
  return undefined;
}

function numbers(values: readonly (number | string)[]): number[] {
  return values.map(Number);
}

function some(values: readonly (number | string)[], all: number): number[] | '*' {
  return values.length >= all ? '*' : numbers(values);
}
